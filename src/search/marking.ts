import { ASCII, fold, originalPlaces } from "../content/text/fold.ts";
import type { SearchLanguage } from "../platform/text/search-languages.ts";
import type { WordQuery } from "./index/query.ts";
import type { Word } from "./index/tokens.ts";
import { readTokens } from "./index/vector.ts";
import type { Form, Phrase } from "./index/terms.ts";

/** A part of a text that a query asks for. */
export interface Mark {
  start: number;
  end: number;
  clause: number;
}

interface Place extends Pick<Mark, "start" | "clause"> {
  isInside: boolean;
}

const LETTER = /\p{L}/u;

interface Target {
  form: Form;
  clause: number;
  phrase: Phrase;
  /** The index of its place in the phrase. */
  at: number;
}

/** Finds in texts what a query asks for, by the tokens that the index has of them. */
export class Marker {
  readonly #language: SearchLanguage;
  readonly #byToken = new Map<string, Target[]>();
  readonly #beginnings: Target[] = [];
  /** The weight of each clause: rare words weigh more. */
  readonly #weights: readonly number[];
  readonly #clauses: WordQuery["clauses"];
  #beginningsOf: RegExp[] | undefined;
  readonly #letters = new Set<string>();

  /** @param articlesOf the number of articles that have a token, about */
  constructor(
    { clauses }: WordQuery,
    language: SearchLanguage,
    articlesOf: (token: string) => number = () => 0,
  ) {
    this.#language = language;
    this.#clauses = clauses;
    for (const [index, { condition, isStopWord }] of clauses.entries()) {
      if (isStopWord) continue;
      for (const phrase of condition) {
        for (const [at, place] of phrase.entries()) {
          for (const form of place) this.#add({ form, clause: index, phrase, at });
        }
      }
    }
    this.#weights = clauses.map(({ condition, isStopWord }) => {
      if (isStopWord) return 0;
      const articles = condition.flat(2).map(({ token }) => articlesOf(token));
      return 1 / (1 + Math.log1p(Math.max(0, ...articles)));
    });
  }

  #add(target: Target): void {
    const { token, isBeginning } = target.form;
    this.#letters.add(token.replace(/^[=.]/, "").charAt(0));
    if (isBeginning === true) this.#beginnings.push(target);
    else if (!this.#byToken.get(token)?.push(target)) this.#byToken.set(token, [target]);
  }

  weightOf(marks: readonly Pick<Mark, "clause">[]): number {
    const found = new Set(marks.map(({ clause }) => clause));
    return this.#weights.reduce((sum, weight, index) => sum + (found.has(index) ? weight : 0), 0);
  }

  get weight(): number {
    return this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** Where marks may begin: much faster than a look at each word, and not quite right; least so inside of words. */
  likelyPlaces(text: string): Place[] {
    this.#beginningsOf ??= this.#clauses.map((each) => beginningsOf(each));
    return this.#beginningsOf
      .flatMap((pattern, clause) =>
        Array.from(text.matchAll(pattern), ({ index: start }) => ({
          start,
          clause,
          isInside: LETTER.test(text[start - 1] ?? ""),
        })),
      )
      .toSorted((one, other) => one.start - other.start);
  }

  /** All tokens of a word without parts begin with its first letter. */
  readonly #mayHaveMark = ({ text, typed }: Word) =>
    this.#letters.has(text.charAt(0)) || !ONE_PART.test(typed);

  /** The marks of a text, in the order of their beginnings; they may overlap. */
  marks(text: string): Mark[] {
    const found: Mark[] = [];
    const inPhrases = new Map<Phrase, Map<number, Mark>[]>();
    readTokens(
      text,
      this.#language,
      ({ token }, position, start, end) => {
        const note = ({ form, clause, phrase, at }: Target) => {
          const mark = { ...spanOf(form, token, { start, end }), clause };
          if (phrase.length === 1) return found.push(mark);
          if (!inPhrases.has(phrase))
            inPhrases.set(
              phrase,
              phrase.map(() => new Map()),
            );
          return inPhrases.get(phrase)?.[at]?.set(position, mark);
        };
        this.#byToken.get(token)?.forEach(note);
        for (const target of this.#beginnings) {
          // "snake" is enough of "snake_case", whose words are also one.
          const isFound = end - start > token.length && found.some((mark) => mark.start === start);
          if (!isFound && token.startsWith(target.form.token)) note(target);
        }
      },
      this.#mayHaveMark,
    );
    for (const [phrase, places] of inPhrases) found.push(...sideBySide(phrase, places));
    found.sort((one, other) => one.start - other.start || one.end - other.end);
    return ASCII.test(text) ? found : inOriginal(text, found);
  }
}

const ONE_PART = /^[A-Z]?[a-z]*$/;

/** The dot of ".net" belongs to it; a single character of an unspaced script is half of a pair. */
function spanOf({ token: typed, isWord, isBeginning }: Form, token: string, { start, end }: Span): Span {
  if (isWord === true && isBeginning === true) return { start, end: start + typed.length };
  return { start: token.startsWith(".") ? start - 1 : start, end };
}

type Span = Pick<Mark, "start" | "end">;

function sideBySide(phrase: Phrase, places: readonly Map<number, Mark>[]): Mark[] {
  const first = phrase.findIndex((place) => place.length > 0);
  return [...(places[first]?.keys() ?? [])].flatMap((position) => {
    const marks = phrase.map((_, at) => places[at]?.get(position - first + at));
    const isThere = phrase.every((place, at) => place.length === 0 || marks[at] !== undefined);
    return isThere ? marks.filter((mark) => mark !== undefined) : [];
  });
}

/** A character that is unified to several is marked as a whole. */
function inOriginal(text: string, marks: readonly Mark[]): Mark[] {
  if (marks.length === 0) return [];
  const places = originalPlaces(text);
  return marks.map((mark) => {
    let { end } = mark;
    while (end < places.length - 1 && places[end] === places[end - 1]) end++;
    return { ...mark, start: places[mark.start] as number, end: places[end] as number };
  });
}

/** The Latin letters with accents that search reads as a plain letter. */
const ACCENTED = new Map<string, string>();
for (let code = 0xc0; code < 0x250; code += 1) {
  const letter = String.fromCodePoint(code);
  const plain = fold(letter);
  ACCENTED.set(plain, (ACCENTED.get(plain) ?? "") + letter);
}

/** The end of a stem is not always that of its words. */
const SURE_LETTERS = 3;

function beginningsOf({ condition, isStopWord }: WordQuery["clauses"][number]): RegExp {
  const forms = isStopWord
    ? []
    : condition.flatMap((phrase) => phrase.find((place) => place.length > 0) ?? []);
  const beginnings = forms.map(({ token }) => {
    const letters = Array.from(token.replace(/^(?:=(?:..:)?|\.)/, ""));
    const sure = token.startsWith("=")
      ? letters.slice(0, Math.max(SURE_LETTERS, letters.length - 1))
      : letters;
    return sure.map((letter) => `[${escape(letter)}${ACCENTED.get(letter) ?? ""}]`).join("");
  });
  return new RegExp([...new Set(beginnings)].join("|") || "(?!)", "giu");
}

const escape = (letter: string) => letter.replace(/[\\^\]-]/, String.raw`\$&`);
