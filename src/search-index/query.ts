import { isStopWord } from "./stop-words.ts";
import {
  type Condition,
  exclusionOf,
  isPlain,
  phraseCondition,
  type Forms,
  type QueryOptions,
  type QueryPart,
  type Reading,
  clausesOf,
  waysToWrite,
  wordCondition,
} from "./terms.ts";
import { type Term, terms } from "./tokens.ts";

/** A word, compound or phrase that articles should have. */
export interface Clause {
  /** As typed, in lower case. */
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
  /** The index of the clause that it belongs to. */
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
  const query: WordQuery = { clauses: [], inPlace: [], exclusions: [], words: [] };
  for (const part of parts) {
    if (part.isExcluded) query.exclusions.push(exclusionOf(part, options.language));
    else if (part.isPhrase) addPhrase(query, part);
    else addTerms(query, part, { ...options, goesOn: part === parts.at(-1) });
  }
  if (query.clauses.length === 0) return null;
  // A query of stop words alone asks for them: "The Who".
  if (query.clauses.every((each) => each.isStopWord))
    for (const each of query.clauses) each.isStopWord = false;
  return query;
}

function addPhrase(query: WordQuery, { terms }: QueryPart): void {
  const condition = phraseCondition(terms);
  const text = terms.map(textOf).join(" ");
  add(query, { text, condition, isStopWord: false, isRequired: true }, condition[0] ?? []);
}

function addTerms(query: WordQuery, { terms }: QueryPart, reading: Reading): void {
  for (const term of terms) {
    const goesOn = reading.goesOn && term === terms.at(-1);
    for (const { condition, places } of clausesOf(term, { ...reading, goesOn })) {
      add(
        query,
        { text: textOf(term), condition, isStopWord: isOfStopWords(term), isRequired: false },
        places,
      );
    }
    addWords(query, term, { language: "simple", goesOn });
  }
}

function textOf(term: Term): string {
  return "run" in term ? term.run.join("") : term.words.map(({ text }) => text).join("-");
}

/** A word that was typed twice counts once. */
function add(query: WordQuery, clause: Clause, places: readonly Forms[]): void {
  const key = JSON.stringify(clause.condition);
  const known = query.clauses.findIndex(({ condition }) => JSON.stringify(condition) === key);
  const index = known >= 0 ? known : query.clauses.push(clause) - 1;
  for (const place of places) query.inPlace.push({ place, clause: index });
}

function isOfStopWords(term: Term): boolean {
  if ("run" in term) return false;
  return term.words.every(({ text }) => isStopWord(text)) || isStopWord(term.joined ?? "");
}

/** Looks for the word itself: the stem of a misspelt word may well be another word. */
function addWords(query: WordQuery, term: Term, itself: Reading): void {
  if ("run" in term) return;
  for (const word of term.words) {
    const isKnown = query.words.some((known) => known.word === word.text);
    if (!isPlain(word) || !/\p{L}/u.test(word.text) || isKnown) continue;
    const own = wordCondition(word, { ...itself, goesOn: itself.goesOn && word === term.words.at(-1) });
    // A part of a compound that occurs as one word, or as other words, is not misspelt.
    query.words.push({ word: word.text, occurs: [...own, ...waysToWrite(term, itself)] });
  }
}

/** Bounds PostgreSQL's stack. */
const MAX_CHARACTERS = 1000;
const MAX_TERMS = 100;

const PART = /(?<minus>(?<!\S)-(?=[^\s-]))?(?:"(?<phrase>[^"]*)"|(?<words>[^\s"]+)|")/g;

const SCHEME = /^https?:\/\/(?=[\p{L}\p{N}])/iu;

/**
 * Takes a query apart. Only quotes and a minus before a word mean anything; parts without words are left out.
 */
function readParts(q: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let room = MAX_TERMS;
  const text = q.slice(0, MAX_CHARACTERS).replaceAll(/[“”„‟]/g, '"');
  for (const { groups } of text.matchAll(PART)) {
    const found: Term[] = [];
    const words = groups?.["words"]?.replace(SCHEME, "");
    for (const term of terms(groups?.["phrase"] ?? words ?? "")) {
      if (room <= 0) break;
      const kept = shorten(term, room);
      room -= "run" in kept ? kept.run.length : kept.words.length;
      found.push(kept);
    }
    if (found.length === 0) continue;
    parts.push({
      terms: found,
      isPhrase: groups?.["phrase"] !== undefined,
      isExcluded: groups?.["minus"] !== undefined,
    });
  }
  return parts;
}

function shorten(term: Term, room: number): Term {
  if ("run" in term) return { ...term, run: term.run.slice(0, room) };
  return term.words.length <= room ? term : { words: term.words.slice(0, room), joined: undefined };
}
