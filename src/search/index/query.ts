import { type QueryPart, readParts } from "./query-parts.ts";
import { stopWordsIn } from "./stemming.ts";
import {
  compoundPlaces,
  type Condition,
  conditionOf,
  exclusionOf,
  isPlain,
  phraseCondition,
  type Forms,
  type QueryOptions,
  type Reading,
  runPlaces,
  waysToWrite,
  wordCondition,
} from "./terms.ts";
import type { Compound, Term } from "./tokens.ts";

/** A word, compound or phrase that articles should have. */
export interface Clause {
  /** The typed text in lower case. */
  text: string;
  condition: Condition;
  /** Says little beside other words. */
  isStopWord: boolean;
  /** A quoted phrase, which must be there. */
  isRequired: boolean;
}

/** One word of the query, for the words that stand beside it. */
export interface WordInPlace {
  place: Forms;
  clause: number;
}

/** A word that is misspelt unless something matches `occurs`. */
export interface TypedWord {
  word: string;
  occurs: Condition;
}

export interface WordQuery {
  clauses: Clause[];
  inPlace: WordInPlace[];
  exclusions: Condition[];
  /** The unquoted words, folded, each once. */
  words: TypedWord[];
}

/** Null without a clause, as for symbols or exclusions alone. */
export function parseQuery(q: string, options: QueryOptions): WordQuery | null {
  const parts = readParts(q);
  const { language, languages } = options;
  const query: WordQuery = { clauses: [], inPlace: [], exclusions: [], words: [] };
  const written = parts.flatMap(({ isExcluded, isPhrase, terms }) => (isExcluded || isPhrase ? [] : terms));
  const stopWords = stopWordsIn(written.flatMap(wordsOf), language);
  const begun = { query, stopWords, known: new Map<string, number>() };
  const joined = joinedWords(parts, stopWords);
  for (const part of parts) {
    if (part.isExcluded) query.exclusions.push(exclusionOf(part, { language, languages }));
    else if (part.isPhrase) addPhrase(begun, part);
    else {
      const goesOn = part === parts.at(-1);
      addTerms(begun, part, { ...options, goesOn, joined: joined.get(part) ?? [] });
    }
  }
  if (query.clauses.length === 0) return null;
  // A query of stop words alone asks for them: "The Who".
  if (query.clauses.every((each) => each.isStopWord))
    for (const each of query.clauses) each.isStopWord = false;
  return query;
}

interface Begun {
  query: WordQuery;
  stopWords: ReadonlySet<string>;
  known: Map<string, number>;
}

const OF_LETTERS = /^\p{L}[\p{L}\p{M}]+$/u;

/**
 * Two neighbours may be one word elsewhere: "git hub", "data base". "log in" is joined, "in valid" is not: what begins
 * with a stop word is most often another word ("the sis").
 */
function joinedWords(parts: readonly QueryPart[], stopWords: ReadonlySet<string>): Map<QueryPart, string[]> {
  const joined = new Map<QueryPart, string[]>();
  const words = parts.map((part) => (part.isPhrase || part.isExcluded ? undefined : oneWordOf(part)));
  for (const [at, part] of parts.entries()) {
    const [before, word] = [words[at - 1], words[at]];
    if (before === undefined || word === undefined || stopWords.has(before)) continue;
    if (!OF_LETTERS.test(before) || !OF_LETTERS.test(word)) continue;
    for (const each of [parts[at - 1] as QueryPart, part])
      joined.set(each, [...(joined.get(each) ?? []), before + word]);
  }
  return joined;
}

function oneWordOf({ terms: [term, ...others] }: QueryPart): string | undefined {
  if (term === undefined || "run" in term || others.length > 0 || term.words.length > 1) return undefined;
  return term.words[0]?.text;
}

function addPhrase(begun: Begun, { terms }: QueryPart): void {
  const condition = phraseCondition(terms);
  const text = terms.map(textOf).join(" ");
  const clause = add(begun, { text, condition, isStopWord: false, isRequired: true });
  place(begun, condition[0] ?? [], clause);
}

function addTerms(begun: Begun, part: QueryPart, reading: Reading): void {
  for (const term of part.terms) {
    const goesOn = reading.goesOn && term === part.terms.at(-1) && canGoOn(term);
    addTerm(begun, term, { ...reading, goesOn, isStopWord: isOfStopWords(begun, term, part) });
    addWords(begun.query, term, { language: "simple", goesOn, joined: reading.joined });
  }
}

/** Nearly everything begins with less: who types "c" means C, and "ci" no city. Nothing begins with "c++" without having it. */
function canGoOn(term: Term): boolean {
  const last = "run" in term ? undefined : term.words.at(-1);
  return last === undefined || (last.sign === "" && /.../su.test(last.text));
}

/**
 * A compound is a clause of its own, and each of its words that tells something is one more, so that "tcp/ip" also finds,
 * behind, what has both words anywhere. Each pair of a run is a word.
 */
function addTerm(begun: Begun, term: Term, reading: Reading & { isStopWord: boolean }): void {
  const clauseOf = (text: string, condition: Condition, isStopWord = false) =>
    add(begun, { text, condition, isStopWord, isRequired: false });
  if ("run" in term) {
    for (const each of runPlaces(term, reading.goesOn))
      place(begun, [each], clauseOf(textOf(term), [[each]]));
    return;
  }
  const condition = conditionOf(term, reading);
  const whole = clauseOf(textOf(term), condition, reading.isStopWord);
  if (term.words.length === 1) return place(begun, condition[0] ?? [], whole);
  const asOneWord = condition.filter((phrase) => phrase.length === 1);
  for (const [at, each] of compoundPlaces(term, reading).entries()) {
    const { text } = term.words[at] as Compound["words"][number];
    place(begun, [each], isTelling(text, begun) ? clauseOf(text, [[each], ...asOneWord]) : whole);
  }
}

const ENDS_IN_LETTER = /\p{L}.*\p{L}\p{M}*$/u;

/** Letters, numbers and names with a number, such as "go1", tell nothing without their neighbours. */
const isTelling = (word: string, { stopWords }: Begun) => ENDS_IN_LETTER.test(word) && !stopWords.has(word);

function textOf(term: Term): string {
  return "run" in term ? term.run.join("") : term.words.map(({ text }) => text).join("-");
}

/** A word that was typed twice counts once. */
function add({ query, known }: Begun, clause: Clause): number {
  const [words = []] = clause.condition;
  const key = `${clause.isRequired} ${words.map(([itself]) => itself?.token).join(" ")}`;
  const index = known.get(key) ?? query.clauses.push(clause) - 1;
  known.set(key, index);
  return index;
}

function place({ query }: Begun, places: readonly Forms[], clause: number): void {
  for (const each of places) query.inPlace.push({ place: each, clause });
}

function wordsOf(term: Term): string[] {
  return "run" in term ? [] : [...term.words.map(({ text }) => text), term.joined ?? ""];
}

/** A compound is one only with an apostrophe: "don't" is a stop word, "at&t" is not. */
function isOfStopWords({ stopWords }: Begun, term: Term, { hasApostrophe }: QueryPart): boolean {
  if ("run" in term) return false;
  const isWord = term.words.length === 1 || hasApostrophe;
  return (isWord && term.words.every(({ text }) => stopWords.has(text))) || stopWords.has(term.joined ?? "");
}

/** Looks for the word itself: the stem of a misspelt word may well be another word. */
function addWords(query: WordQuery, term: Term, itself: Reading): void {
  if ("run" in term) return;
  // A part of a compound that occurs as one word, or as other words, is not misspelt.
  const ways = waysToWrite(term, itself);
  for (const word of term.words) {
    const isKnown = query.words.some((known) => known.word === word.text);
    if (!isPlain(word) || !/\p{L}/u.test(word.text) || isKnown) continue;
    const own = wordCondition(word, { ...itself, goesOn: itself.goesOn && word === term.words.at(-1) });
    query.words.push({ word: word.text, occurs: [...own, ...ways] });
  }
}
