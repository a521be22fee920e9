import type { SearchLanguage } from "../text/render-pool.ts";
import {
  type Compound,
  formsOf,
  quoteLexeme,
  type Run,
  splitNumber,
  type Term,
  versionNumber,
  type Word,
} from "./tokens.ts";

export interface QueryPart {
  terms: Term[];
  isPhrase: boolean;
  isExcluded: boolean;
}

/** Words that a reader may have meant, by a word of the query: instead of it, or beside it. */
export interface Meant {
  words: readonly string[];
  /** The factor of a match by one of them. */
  factor: number;
  isInstead: boolean;
}

export interface QueryOptions {
  language: SearchLanguage;
  meant?: ReadonlyMap<string, Meant>;
}

export interface Reading extends QueryOptions {
  goesOn: boolean;
}

const BEGINS_WITH_DIGIT = /^\p{Nd}/u;

/** A quoted phrase, word for word. */
export function phraseCondition(terms: readonly Term[]): Condition {
  return [phraseOf(terms, (word) => typed(tokenOf(word)))];
}

/** The conditions of a term, each with its words one by one. Each pair of a run is a word. */
export function clausesOf(term: Term, reading: Reading): { condition: Condition; places: Phrase }[] {
  if ("run" in term) {
    return runPlaces(term, reading.goesOn).map((place) => ({ condition: [[place]], places: [place] }));
  }
  const condition = conditionOf(term, reading);
  const places = term.words.length === 1 ? (condition[0] as Phrase) : compoundPlaces(term, reading);
  return [{ condition, places }];
}

/** Words typed without a space are excluded as one. */
export function exclusionOf({ terms, isPhrase }: QueryPart, language: SearchLanguage): Condition {
  if (isPhrase) return phraseCondition(terms);
  const reading = { language, goesOn: false };
  const [first, ...others] = terms;
  if (first !== undefined && others.length === 0) return conditionOf(first, reading);
  return [phraseOf(terms, (word) => formsOfWord(word, reading))];
}

function conditionOf(term: Term, reading: Reading): Condition {
  if ("run" in term) return [runPlaces(term, reading.goesOn)];
  const [word, ...others] = term.words;
  return word !== undefined && others.length === 0
    ? wordCondition(word, reading)
    : [...waysToWrite(term, reading), compoundPlaces(term, reading)];
}

export function wordCondition(word: Word, reading: Reading): Condition {
  // A beginning of one character would find nearly everything: who types "c" means C.
  const goesOn = reading.goesOn && /../su.test(word.text);
  const itself = [formsOfWord(word, { ...reading, goesOn })];
  const parts = isCorrected(word, reading) ? undefined : splitNumber(word.text);
  return parts === undefined || word.dot !== "" ? [itself] : [itself, partPlaces(parts)];
}

/** The number finds only itself: too many longer ones begin with it. */
function partPlaces(parts: readonly string[]): Phrase {
  return parts.map((part) => typed(part));
}

function compoundPlaces({ words }: Compound, reading: Reading): Phrase {
  return words.map((word, at) =>
    formsOfWord(word, { ...reading, goesOn: reading.goesOn && at === words.length - 1 }),
  );
}

/** Other spellings of a compound: as one word, "go1.22" as "Go 1.22" and "v1.29" as "1.29". */
export function waysToWrite(compound: Compound, reading: Reading): Phrase[] {
  const { words, joined } = compound;
  const [first, second] = words;
  if (first === undefined || second === undefined) return [];
  const asOneWord = (word: string) => [inflections(word, reading)];
  const ways = joined === undefined ? [] : [asOneWord(joined)];
  if (first.dot !== "" || isCorrected(first, reading)) return ways;
  const version = BEGINS_WITH_DIGIT.test(second.text) ? versionNumber(first.text) : undefined;
  const parts = version === undefined ? splitNumber(first.text, { minLetters: 1 }) : [version];
  if (parts === undefined) return ways;
  if (version !== undefined && joined !== undefined) ways.push(asOneWord(joined.slice(1)));
  return [...ways, [...partPlaces(parts), ...compoundPlaces(compound, reading).slice(1)]];
}

function formsOfWord(word: Word, reading: Reading): Forms {
  const token = tokenOf(word);
  const meant = isPlain(word) ? reading.meant?.get(word.text) : undefined;
  const others = (meant?.words ?? []).flatMap((other) =>
    formsOf(other, reading.language).map((form) => ({
      token: form,
      factor: (meant?.factor ?? 0) * (form === other ? 1 : OTHER_FORM),
    })),
  );
  if (meant?.isInstead === true) return others;
  // Nothing begins with "c++" that does not have it too.
  return [...inflections(token, { ...reading, goesOn: reading.goesOn && word.sign === "" }), ...others];
}

const isCorrected = (word: Word, { meant }: Reading) => meant?.get(word.text)?.isInstead === true;

/** A word as typed, by its stem, and as the beginning of longer ones. */
function inflections(word: string, { language, goesOn }: Reading): Forms {
  const [itself = word, ...stems] = formsOf(word, language);
  return [
    ...typed(itself),
    ...stems.map((token) => ({ token, factor: BY_STEM, isWord: true })),
    ...(goesOn ? [{ token: word, factor: BY_BEGINNING, isBeginning: true }] : []),
  ];
}

const typed = (token: string): Forms => [{ token, factor: 1, isWord: true }];

/** A typed ".net" is not any net. */
function tokenOf({ text, dot }: Word): string {
  return dot === "leading" ? `.${text}` : text;
}

export function isPlain({ sign, dot }: Word): boolean {
  return sign === "" && dot !== "leading";
}

function phraseOf(terms: readonly Term[], placeOf: (word: Word) => Forms): Phrase {
  return terms.flatMap((term, at) => {
    if (!("run" in term)) return term.words.map(placeOf);
    // The last character begins no pair, but has a place.
    const hasGap = term.run.length > 1 && at < terms.length - 1;
    return hasGap ? [...runPlaces(term, false), []] : runPlaces(term, false);
  });
}

/** Pairs of characters; a single one is a beginning. */
function runPlaces({ run }: Run, goesOn: boolean): Phrase {
  const [only = "", ...others] = run;
  if (others.length === 0) return [[{ token: only, factor: 1, isWord: true, isBeginning: true }]];
  return others.map((character, at) => {
    const token = `${run[at]}${character}`;
    const isLast = at === others.length - 1;
    return [
      ...typed(token),
      ...(goesOn && isLast ? [{ token, factor: BY_BEGINNING, isBeginning: true }] : []),
    ];
  });
}

/** The factors of a match by an inflection, by a longer word, and by an inflection of a word that may be meant. */
const BY_STEM = 0.9;
const BY_BEGINNING = 0.5;
const OTHER_FORM = 0.6;

/** A token that stands for a word of a query. */
export interface Form {
  token: string;
  /** The factor of the token's impact. */
  factor: number;
  /** The word itself or its stem: their articles are the word's. */
  isWord?: boolean;
  /** Whether longer tokens match too; the token itself matches only if `isWord`. */
  isBeginning?: boolean;
}

/** Any of these; none is any word. */
export type Forms = readonly Form[];

/** Words side by side; most often one. */
export type Phrase = readonly Forms[];

/** Any of these phrases. Neither is empty. */
export type Condition = readonly Phrase[];

/** The condition as a tsquery. */
export function writeExact(condition: Condition): string {
  return join(condition.map(writePhrase), " | ");
}

/** The part of a condition that the index of words answers: all words of a phrase, in any place. */
export function writeLoose(condition: Condition): string {
  const alternatives = condition.map((phrase) => {
    const places = phrase.filter((place) => place.length > 0).map(writePlace);
    return join([...new Set(places)], " & ");
  });
  return join(alternatives, " | ");
}

/** The part of an exclusion that the index answers: without phrases. Undefined for none. */
export function writeLooseExclusion(condition: Condition): string | undefined {
  const words = condition.filter((phrase) => phrase.length === 1);
  return words.length === 0 ? undefined : `!${writeExact(words)}`;
}

/** Any of its words in a title, by the weights of vector.ts. */
export function writeInTitle(condition: Condition): string {
  const forms = condition.flat(2).map(({ token, isBeginning }) => {
    const weight = token.startsWith("=") ? "B" : "A";
    return `${quoteLexeme(token)}:${isBeginning === true ? "*" : ""}${weight}`;
  });
  return join([...new Set(forms)], " | ");
}

function writePhrase(phrase: Phrase): string {
  let written = "";
  let distance = 0;
  for (const place of phrase) {
    if (place.length > 0) {
      written += (written === "" ? "" : ` <${distance}> `) + writePlace(place);
      distance = 0;
    }
    distance++;
  }
  return phrase.length === 1 ? written : `(${written})`;
}

function writePlace(place: Forms): string {
  const forms = place.map(
    ({ token, isBeginning }) => quoteLexeme(token) + (isBeginning === true ? ":*" : ""),
  );
  return join([...new Set(forms)], " | ");
}

export function join(operands: readonly string[], operator: string): string {
  return operands.length === 1 ? operands.join("") : `(${operands.join(operator)})`;
}
