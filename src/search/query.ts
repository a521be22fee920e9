import {
  allLexemes,
  type Condition,
  exclusionOf,
  isPlain,
  phraseOf,
  type QueryOptions,
  type QueryPart,
  type Reading,
  wantedOf,
  waysToWrite,
  wordCondition,
  wordLexemes,
  writeExact,
  writeLoose,
  writeLooseExclusion,
} from "./terms.ts";
import type { SearchLanguage } from "../text/render-pool.ts";
import { type Term, terms, type Word } from "./tokens.ts";

export interface WordQuery {
  /** For the index alone: phrases become "all of these words". Finds all that `exact` finds. */
  loose: string;
  /** Undefined when `loose` is the same. */
  exact: string | undefined;
  /** The number of wanted words, compounds and phrases. */
  size: number;
  isExcluding: boolean;
  /** The number of lexemes: the cost of checking a row. */
  weight: number;
  /** Any of the wanted lexemes, to measure how much of the query an article has. */
  any: Lexemes;
  /** Without beginnings of words, to prefer whole words. */
  anyWhole: Lexemes;
  /** The first words as typed side by side; undefined for a single word. */
  together: string | undefined;
  /** The unquoted words, folded, each with a tsquery of the word itself, not of its stem. */
  words: { word: string; matches: string }[];
}

/** Any of these: "'run' | '=run'". */
export interface Lexemes {
  query: string;
  /** The average number for each condition. */
  perCondition: number;
}

/**
 * All words must match in any inflection, "quoted words" exactly, -word must not, and the last word may go on. Null
 * without a wanted word, as for symbols or exclusions alone.
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
    if (!part.isPhrase) addWords(words, part, part === parts.at(-1));
  }
  if (wanted.size === 0) return null;

  const conditions = [...wanted.values()];
  const excluded = exclusions.flatMap((condition) => writeLooseExclusion(condition) ?? []);
  const loose = conjoin([...conditions.map(writeLoose), ...excluded]);
  const exact = conjoin([...wanted.keys(), ...exclusions.map((condition) => `!${writeExact(condition)}`)]);
  return {
    loose,
    exact: exact === loose ? undefined : exact,
    size: conditions.length,
    isExcluding: exclusions.length > 0,
    weight: [...conditions, ...exclusions].flatMap(allLexemes).length,
    ...anyOf(conditions),
    together: togetherOf(parts, options.language),
    words: [...words].map(([word, matches]) => ({ word, matches })),
  };
}

/**
 * ts_rank takes a word and its beginnings for one operand, and picks either. So a word is left out where its
 * beginnings are there. One character of an unspaced script has only beginnings.
 */
function anyOf(wanted: readonly Condition[]): { any: Lexemes; anyWhole: Lexemes } {
  const lexemes = new Set(wanted.flatMap(allLexemes));
  const any = [...lexemes].filter((lexeme) => isBeginning(lexeme) || !lexemes.has(`${lexeme}:*`));
  const whole = [...lexemes].filter((lexeme) => !isBeginning(lexeme));
  const measure = (each: string[]) => ({
    query: each.join(" | "),
    perCondition: each.length / wanted.length,
  });
  return { any: measure(any), anyWhole: measure(whole.length > 0 ? whole : any) };
}

/** More words side by side hardly tell more. */
const MOST_TOGETHER = 16;

/** One phrase in any inflection; only the end of the query may go on. */
function togetherOf(parts: readonly QueryPart[], language: SearchLanguage): string | undefined {
  const terms = parts.filter((part) => !part.isExcluded).flatMap((part) => part.terms);
  if (terms.length < 2) return undefined;
  const ending = endingOf(parts);
  const phrase = phraseOf(terms.slice(0, MOST_TOGETHER), (word) =>
    wordLexemes(word, { language, goesOn: word === ending }),
  );
  return writeExact([phrase]);
}

function endingOf(parts: readonly QueryPart[]): Word | undefined {
  const part = parts.at(-1);
  const term = part?.isExcluded === false && !part.isPhrase ? part.terms.at(-1) : undefined;
  return term && "words" in term ? term.words.at(-1) : undefined;
}

function isBeginning(lexeme: string): boolean {
  return lexeme.endsWith(":*");
}

function conjoin(conditions: readonly string[]): string {
  return [...new Set(conditions)].join(" & ");
}

function addWords(words: Map<string, string>, { terms }: QueryPart, mayGoOn: boolean): void {
  for (const term of terms) {
    if ("run" in term) continue;
    // Without stems: that of a misspelt word may well be another word.
    const itself: Reading = { language: "simple", goesOn: mayGoOn && term === terms.at(-1) };
    for (const word of term.words) {
      if (!isPlain(word) || !/\p{L}/u.test(word.text) || words.has(word.text)) continue;
      const own = wordCondition(word, { ...itself, goesOn: itself.goesOn && word === term.words.at(-1) });
      // A part of a compound that occurs as one word, or as other words, is not misspelt.
      words.set(word.text, writeExact([...own, ...waysToWrite(term, itself)]));
    }
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
  if ("run" in term) return { run: term.run.slice(0, room) };
  return term.words.length <= room ? term : { words: term.words.slice(0, room), joined: undefined };
}
