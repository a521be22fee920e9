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

export interface QueryOptions {
  language: SearchLanguage;
  replacements?: ReadonlyMap<string, readonly string[]>;
}

export interface Reading extends QueryOptions {
  goesOn: boolean;
}

const BEGINS_WITH_DIGIT = /^\p{Nd}/u;

export function wantedOf({ terms, isPhrase }: QueryPart, reading: Reading): Condition[] {
  if (isPhrase) return [[phraseOf(terms, (word) => lexemesOf([tokenOf(word)]))]];
  return terms.map((term) =>
    conditionOf(term, { ...reading, goesOn: reading.goesOn && term === terms.at(-1) }),
  );
}

/** Words typed without a space are excluded as one. */
export function exclusionOf({ terms, isPhrase }: QueryPart, language: SearchLanguage): Condition {
  if (isPhrase) return [phraseOf(terms, (word) => lexemesOf([tokenOf(word)]))];
  const reading = { language, goesOn: false };
  const [first, ...others] = terms;
  if (first !== undefined && others.length === 0) return conditionOf(first, reading);
  return [phraseOf(terms, (word) => wordLexemes(word, reading))];
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
  const itself = [wordLexemes(word, { ...reading, goesOn })];
  const parts = reading.replacements?.has(word.text) === true ? undefined : splitNumber(word.text);
  return parts === undefined || word.dot !== "" ? [itself] : [itself, partPlaces(parts)];
}

/** The number finds only itself: too many longer ones begin with it. */
function partPlaces(parts: readonly string[]): Phrase {
  return parts.map((part) => lexemesOf([part]));
}

function compoundPlaces({ words }: Compound, reading: Reading): Phrase {
  return words.map((word, at) =>
    wordLexemes(word, { ...reading, goesOn: reading.goesOn && at === words.length - 1 }),
  );
}

/** Other spellings of a compound: as one word, "go1.22" as "Go 1.22" and "v1.29" as "1.29". */
export function waysToWrite(compound: Compound, reading: Reading): Phrase[] {
  const { words, joined } = compound;
  const [first, second] = words;
  if (first === undefined || second === undefined) return [];
  const asOneWord = (word: string) => [lexemesOf(formsOf(word, reading.language), reading.goesOn)];
  const ways = joined === undefined ? [] : [asOneWord(joined)];
  if (first.dot !== "" || reading.replacements?.has(first.text) === true) return ways;
  const version = BEGINS_WITH_DIGIT.test(second.text) ? versionNumber(first.text) : undefined;
  const parts = version === undefined ? splitNumber(first.text, { minLetters: 1 }) : [version];
  if (parts === undefined) return ways;
  if (version !== undefined && joined !== undefined) ways.push(asOneWord(joined.slice(1)));
  return [...ways, [...partPlaces(parts), ...compoundPlaces(compound, reading).slice(1)]];
}

export function wordLexemes(word: Word, { language, replacements, goesOn }: Reading): string[] {
  const instead = isPlain(word) ? (replacements?.get(word.text) ?? []) : [];
  if (instead.length > 0) return lexemesOf(instead.flatMap((other) => formsOf(other, language)));
  // Nothing begins with "c++" that does not have it too.
  return lexemesOf(formsOf(tokenOf(word), language), goesOn && word.sign === "");
}

/** A typed ".net" is not any net. */
function tokenOf({ text, dot }: Word): string {
  return dot === "leading" ? `.${text}` : text;
}

export function isPlain({ sign, dot }: Word): boolean {
  return sign === "" && dot !== "leading";
}

export function phraseOf(terms: readonly Term[], lexemesOfWord: (word: Word) => string[]): Phrase {
  return terms.flatMap((term, at) => {
    if (!("run" in term)) return term.words.map(lexemesOfWord);
    // The last character begins no pair, but has a place.
    const hasGap = term.run.length > 1 && at < terms.length - 1;
    return hasGap ? [...runPlaces(term, false), []] : runPlaces(term, false);
  });
}

/** Pairs of characters; a single one is a beginning. */
function runPlaces({ run }: Run, goesOn: boolean): Phrase {
  if (run.length === 1) return [lexemesOf(run, true).slice(1)];
  return run
    .slice(1)
    .map((character, at) => lexemesOf([`${run[at]}${character}`], goesOn && at === run.length - 2));
}

/** For each place any of these lexemes, or none for any word. */
type Phrase = (readonly string[])[];

/** Any of these phrases. Neither is empty. */
export type Condition = readonly Phrase[];

/** `goesOn` also finds longer words. */
function lexemesOf(tokens: readonly string[], goesOn = false): string[] {
  const [first = "", ...others] = tokens.map((token) => quoteLexeme(token));
  return [first, ...(goesOn ? [`${first}:*`] : []), ...others];
}

export function writeExact(condition: Condition): string {
  return join(condition.map(writePhrase), " | ");
}

/** All words of a phrase, in any place. */
export function writeLoose(condition: Condition): string {
  const alternatives = condition.map((phrase) => {
    const places = phrase.filter((lexemes) => lexemes.length > 0).map((lexemes) => join(lexemes, " | "));
    return join([...new Set(places)], " & ");
  });
  return join(alternatives, " | ");
}

/** The part of an exclusion that the index answers: without phrases. Undefined for none. */
export function writeLooseExclusion(condition: Condition): string | undefined {
  const words = condition.filter((phrase) => phrase.length === 1);
  return words.length === 0 ? undefined : `!${writeExact(words)}`;
}

export function allLexemes(condition: Condition): string[] {
  return condition.flat(2);
}

function writePhrase(phrase: Phrase): string {
  let written = "";
  let distance = 0;
  for (const lexemes of phrase) {
    if (lexemes.length > 0) {
      written += (written === "" ? "" : ` <${distance}> `) + join(lexemes, " | ");
      distance = 0;
    }
    distance++;
  }
  return phrase.length === 1 ? written : `(${written})`;
}

function join(operands: readonly string[], operator: string): string {
  return operands.length === 1 ? operands.join("") : `(${operands.join(operator)})`;
}
