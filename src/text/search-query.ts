import {
  allLexemes,
  type Condition,
  lexemesOf,
  type Step,
  writeExact,
  writeLoose,
  writeLooseExclusion,
} from "./conditions.ts";
import { type QueryPart, readParts } from "./query-parts.ts";
import { splitNumber } from "./row-tokens.ts";
import { formsOf, type SearchLanguage } from "./stems.ts";
import type { Compound, Run, Term, Word } from "./tokens.ts";

/** A query in the texts of tsqueries. */
export interface WordQuery {
  /** What the index answers alone: phrases weakened to "all of these words". Finds all that `exact` finds. */
  loose: string;
  /** The whole condition, or undefined when `loose` says it all. */
  exact: string | undefined;
  /** `loose` in two: the last condition where it is the beginning of a word, and the others. At least one is there. */
  ending: string | undefined;
  others: string | undefined;
  /** Whether something must stand nowhere. */
  isExcluding: boolean;
  /** What is wanted, to measure how much of the query stands where. */
  any: Lexemes;
  /** The same without beginnings of words, to prefer the whole word. */
  anyWhole: Lexemes;
  /** All that is wanted side by side in the order in which it was typed; undefined for a single word. */
  together: string | undefined;
  /** The unquoted words that are wanted, folded, each with what tells whether it occurs anywhere. */
  words: { word: string; matches: string }[];
}

/** Any of these: "'run' | '=run'". */
export interface Lexemes {
  query: string;
  /** How many there are for each condition, on average. */
  perCondition: number;
}

interface QueryOptions {
  language: SearchLanguage;
  /** Words to look for instead of a typed, folded one. */
  replacements?: ReadonlyMap<string, readonly string[]>;
}

/** How one term of a query is looked for. */
interface Reading extends QueryOptions {
  /** Whether the term may be the beginning of a longer one. */
  goesOn: boolean;
}

/**
 * Reads what a person looks for: all words must match in any inflection, "quoted words" as they stand,
 * -word must not, and the last word may go on. Any text is a query. Null when nothing is left to look
 * for, as in a query of symbols or of exclusions alone: such a query finds nothing.
 */
export function parseQuery(q: string, options: QueryOptions): WordQuery | null {
  const parts = readParts(q);
  const wanted = new Map<string, Condition>();
  const exclusions: Condition[] = [];
  const words = new Map<string, string>();
  for (const part of parts) {
    if (part.isExcluded) {
      exclusions.push(exclusionOf(part, options.language));
      continue;
    }
    for (const condition of wantedOf(part, { ...options, goesOn: part === parts.at(-1) })) {
      wanted.set(writeExact(condition), condition);
    }
    if (!part.isPhrase) addWords(words, part, { ...options, goesOn: part === parts.at(-1) });
  }
  if (wanted.size === 0) return null;

  const exact = [...wanted.keys(), ...exclusions.map((condition) => `!${writeExact(condition)}`)];
  const conditions = [...wanted.values()];
  const last = conditions.at(-1);
  const ending =
    last && allLexemes(last).some((lexeme) => isBeginning(lexeme)) ? writeLoose(last) : undefined;
  const others = [
    ...conditions
      .filter((condition) => condition !== last || ending === undefined)
      .map((condition) => writeLoose(condition)),
    ...exclusions.flatMap((condition) => writeLooseExclusion(condition) ?? []),
  ];
  const written = {
    loose: conjoin([...others, ...(ending === undefined ? [] : [ending])]),
    exact: conjoin(exact),
  };
  return {
    loose: written.loose,
    exact: written.exact === written.loose ? undefined : written.exact,
    ending,
    others: others.length === 0 ? undefined : conjoin(others),
    isExcluding: exclusions.length > 0,
    ...anyOf(conditions),
    together: togetherOf(
      parts.filter((part) => !part.isExcluded),
      options.language,
    ),
    words: [...words].map(([word, matches]) => ({ word, matches })),
  };
}

/**
 * ts_rank takes a word and its beginnings for one operand, and which of them is chance. So a word is
 * left out where its beginnings are there. A query of one character of an unspaced script has beginnings only.
 */
function anyOf(wanted: readonly Condition[]): { any: Lexemes; anyWhole: Lexemes } {
  const lexemes = new Set(wanted.flatMap((condition) => allLexemes(condition)));
  const any = [...lexemes].filter((lexeme) => isBeginning(lexeme) || !lexemes.has(`${lexeme}:*`));
  const whole = [...lexemes].filter((lexeme) => !isBeginning(lexeme));
  const measure = (each: string[]) => ({
    query: each.join(" | "),
    perCondition: each.length / wanted.length,
  });
  return { any: measure(any), anyWhole: measure(whole.length > 0 ? whole : any) };
}

/** Everything typed as one phrase in any inflection. */
function togetherOf(parts: readonly QueryPart[], language: SearchLanguage): string | undefined {
  const terms = parts.flatMap((part) => part.terms);
  if (terms.length < 2) return undefined;
  const last = terms.at(-1);
  const goesOn = (word: Word) => last !== undefined && !("run" in last) && word === last.words.at(-1);
  return writeExact([phraseOf(terms, (word) => wordLexemes(word, { language, goesOn: goesOn(word) }))]);
}

function isBeginning(lexeme: string): boolean {
  return lexeme.endsWith(":*");
}

function conjoin(conditions: readonly string[]): string {
  return [...new Set(conditions)].join(" & ");
}

function wantedOf({ terms, isPhrase }: QueryPart, reading: Reading): Condition[] {
  if (isPhrase) return [[phraseOf(terms, (word) => lexemesOf([tokenOf(word)]))]];
  return terms.map((term) =>
    conditionOf(term, { ...reading, goesOn: reading.goesOn && term === terms.at(-1) }),
  );
}

/** What is typed without a space is excluded as one. */
function exclusionOf({ terms, isPhrase }: QueryPart, language: SearchLanguage): Condition {
  if (isPhrase) return [phraseOf(terms, (word) => lexemesOf([tokenOf(word)]))];
  const reading = { language, goesOn: false };
  const [first, ...others] = terms;
  if (first !== undefined && others.length === 0) return conditionOf(first, reading);
  return [phraseOf(terms, (word) => wordLexemes(word, reading))];
}

function conditionOf(term: Term, reading: Reading): Condition {
  if ("run" in term) return [runSteps(term, reading.goesOn)];
  const [word, ...others] = term.words;
  return word !== undefined && others.length === 0
    ? wordCondition(word, reading)
    : compoundCondition(term, reading);
}

function wordCondition(word: Word, reading: Reading): Condition {
  // A beginning of one character would find nearly everything: who types "c" means C.
  const goesOn = reading.goesOn && /../su.test(word.text);
  const steps = [{ lexemes: wordLexemes(word, { ...reading, goesOn }), offset: 0 }];
  const parts = reading.replacements?.has(word.text) === true ? undefined : splitNumber(word.text);
  return parts === undefined || word.dot !== "" ? [steps] : [steps, stepsOf(parts, reading.goesOn)];
}

/** The words of "python3", which others write "Python 3". */
function stepsOf(words: readonly string[], goesOn: boolean): Step[] {
  return words.map((word, offset) => ({
    lexemes: lexemesOf([word], goesOn && offset === words.length - 1 && word.length > 1),
    offset,
  }));
}

function compoundCondition({ words, joined }: Compound, reading: Reading): Condition {
  const steps = words.map((word, offset) => ({
    lexemes: wordLexemes(word, { ...reading, goesOn: reading.goesOn && offset === words.length - 1 }),
    offset,
  }));
  if (joined === undefined) return [steps];
  return [[{ lexemes: lexemesOf(formsOf(joined, reading.language), reading.goesOn), offset: 0 }], steps];
}

function wordLexemes(word: Word, { language, replacements, goesOn }: Reading): string[] {
  const instead = isPlain(word) ? (replacements?.get(word.text) ?? []) : [];
  if (instead.length > 0) return lexemesOf(instead.flatMap((other) => formsOf(other, language)));
  // Nothing begins with "c++" that does not have it too.
  return lexemesOf(formsOf(tokenOf(word), language), goesOn && word.sign === "");
}

/** A typed ".net" is not any net. */
function tokenOf({ text, dot }: Word): string {
  return dot === "leading" ? `.${text}` : text;
}

function isPlain({ sign, dot }: Word): boolean {
  return sign === "" && dot !== "leading";
}

function phraseOf(terms: readonly Term[], lexemesOfWord: (word: Word) => string[]): Step[] {
  const steps: Step[] = [];
  let position = 0;
  for (const term of terms) {
    const found =
      "run" in term
        ? runSteps(term, false)
        : term.words.map((word, offset) => ({ lexemes: lexemesOfWord(word), offset }));
    for (const { lexemes, offset } of found) steps.push({ lexemes, offset: position + offset });
    position += "run" in term ? term.run.length : term.words.length;
  }
  return steps;
}

/** Pairs of characters; a character alone begins one. */
function runSteps({ run }: Run, goesOn: boolean): Step[] {
  if (run.length === 1) return [{ lexemes: lexemesOf(run, true).slice(1), offset: 0 }];
  return run.slice(1).map((character, offset) => ({
    lexemes: lexemesOf([`${run[offset]}${character}`], goesOn && offset === run.length - 2),
    offset,
  }));
}

function addWords(words: Map<string, string>, { terms }: QueryPart, reading: Reading): void {
  for (const term of terms) {
    if ("run" in term) continue;
    const goesOn = reading.goesOn && term === terms.at(-1);
    const asTyped = { language: reading.language, goesOn };
    for (const word of term.words) {
      if (!isPlain(word) || !/\p{L}/u.test(word.text) || words.has(word.text)) continue;
      const own = wordCondition(word, { ...asTyped, goesOn: goesOn && word === term.words.at(-1) });
      // A part of a compound that occurs as one word is not misspelt.
      const whole = term.joined === undefined ? [] : compoundCondition(term, asTyped).slice(0, 1);
      words.set(word.text, writeExact([...own, ...whole]));
    }
  }
}
