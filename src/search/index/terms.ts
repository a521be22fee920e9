import { lower } from "../../content/text/fold.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";
import type { QueryPart } from "./query-parts.ts";
import { formsOf } from "./stemming.ts";
import {
  type Compound,
  quoteLexeme,
  type Run,
  splitNumber,
  type Term,
  versionNumber,
  type Word,
} from "./tokens.ts";

export interface Meant {
  words: readonly string[];
  /** Whether the words stand instead of a misspelt one, which no article has; otherwise beside it. */
  isInstead: boolean;
  /** The two words that articles write instead of one, side by side. */
  apart: readonly string[];
  factor: number;
}

export interface QueryOptions {
  /** The site's. */
  language: SearchLanguage;
  /** Those of articles; the site's alone by default. */
  languages?: readonly SearchLanguage[] | undefined;
  meant?: ReadonlyMap<string, Meant>;
}

export interface Reading extends QueryOptions {
  goesOn: boolean;
  /** What the word is with a neighbour of the query, written as one: "github" for the hub of "git hub". */
  joined?: readonly string[] | undefined;
}

const BEGINS_WITH_DIGIT = /^\p{Nd}/u;

export function phraseCondition(terms: readonly Term[]): Condition {
  return [phraseOf(terms, (word) => typed(tokenOf(word)))];
}

/** Words typed without a space are excluded as one. */
export function exclusionOf({ terms, isPhrase }: QueryPart, options: Omit<QueryOptions, "meant">): Condition {
  if (isPhrase) return phraseCondition(terms);
  const reading = { ...options, goesOn: false };
  const [first, ...others] = terms;
  if (first !== undefined && others.length === 0) return conditionOf(first, reading);
  return [phraseOf(terms, (word) => formsOfWord(word, reading))];
}

export function conditionOf(term: Term, reading: Reading): Condition {
  if ("run" in term) return [runPlaces(term, reading.goesOn)];
  const [word, ...others] = term.words;
  return word !== undefined && others.length === 0
    ? wordCondition(word, reading)
    : [...waysToWrite(term, reading), compoundPlaces(term, reading)];
}

export function wordCondition(word: Word, reading: Reading): Condition {
  const joined = (reading.joined ?? []).flatMap((each) =>
    weaken(inflections(each, { ...reading, goesOn: false }), JOINED),
  );
  const itself = [[...formsOfWord(word, reading), ...joined]];
  const { apart = [], factor = 1 } = reading.meant?.get(word.text) ?? {};
  if (apart.length > 0) return [itself, apartPhrase(apart, reading, factor)];
  const parts = isCorrected(word, reading) ? undefined : splitNumber(word.text);
  return parts === undefined || word.dot !== "" ? [itself] : [itself, partPlaces(parts)];
}

export function apartPhrase(words: readonly string[], { language }: QueryOptions, factor: number): Phrase {
  return words.map((word) => weaken(inflections(word, { language, goesOn: false }), factor));
}

const weaken = (forms: Forms, by: number): Forms =>
  forms.map(({ token, factor }) => ({ token, factor: by * factor }));

/** The number finds only itself: too many longer ones begin with it. */
function partPlaces(parts: readonly string[]): Phrase {
  return parts.map((part) => typed(part));
}

export function compoundPlaces({ words }: Compound, reading: Reading): Phrase {
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
  const meant = isPlain(word) ? reading.meant?.get(word.text) : undefined;
  const others = (meant?.words ?? []).flatMap((other) =>
    formsOf(other, languagesOf(reading)).map((form) => ({
      token: form,
      factor: (meant?.factor ?? 0) * (form === other ? 1 : OTHER_FORM),
    })),
  );
  if (meant?.isInstead === true) return others;
  return [...inflections(tokenOf(word), reading, lower(word.typed)), ...others];
}

const isCorrected = (word: Word, { meant }: Reading) => meant?.get(word.text)?.isInstead === true;

/** A word as typed, by its stem, and as the beginning of longer ones. */
function inflections(word: string, reading: Reading, spelt = word): Forms {
  const [itself = word, ...stems] = formsOf(word, languagesOf(reading), spelt);
  return [
    ...typed(itself),
    ...stems.map((token) => ({ token, factor: BY_STEM, isWord: true })),
    ...(reading.goesOn ? [{ token: word, factor: BY_BEGINNING, isBeginning: true }] : []),
  ];
}

function languagesOf({ language, languages = [] }: QueryOptions): SearchLanguage[] {
  return language === "simple" ? [] : [...new Set([language, ...languages])];
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
export function runPlaces({ run }: Run, goesOn: boolean): Phrase {
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

/** The factors of a match by an inflection, by a longer word, and by two words of the query written as one. */
const BY_STEM = 0.9;
const BY_BEGINNING = 0.5;
const JOINED = 0.9;
/** The factor of a match by an inflection of a word that may be meant. */
const OTHER_FORM = 0.6;

export interface Form {
  token: string;
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

/** A condition as a tsquery, with the distances of its words. */
export function writeExact(condition: Condition): string {
  return join(condition.map(writePhrase), " | ");
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

export function writePlace(place: Forms): string {
  const forms = place.map(
    ({ token, isBeginning }) => quoteLexeme(token) + (isBeginning === true ? ":*" : ""),
  );
  return join([...new Set(forms)], " | ");
}

export function join(operands: readonly string[], operator: string): string {
  return operands.length === 1 ? operands.join("") : `(${operands.join(operator)})`;
}
