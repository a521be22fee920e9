import { type Term, terms } from "./tokens.ts";

interface Token {
  token: string;
  position: number;
}

interface Searchable {
  title: string;
  tags: readonly string[];
  /** Of the author and the organization. */
  names: readonly string[];
  description: string;
  body: string;
}

type Weight = "A" | "B" | "C" | "D";

/** PostgreSQL's bounds: the last position it tells apart, and the positions of one entry. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 256;
/** PostgreSQL refuses entries and positions of more than 1,048,575 bytes together. */
const MAX_BYTES = 900_000;
const BYTES_PER_ENTRY = 7;
const BYTES_PER_POSITION = 2;

/** Between two fields, so that no phrase is found across them. */
const GAP = 10;

/**
 * Gives what a text is found by: its words, and overlapping pairs of characters where words are not
 * spaced. The last character of such a run is a token too, so that every character begins one.
 * Positions count from 1.
 */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (const term of terms(text)) {
    if ("word" in term) {
      found.push({ token: term.word, position: found.length + 1 });
      continue;
    }
    for (const [at, character] of term.run.entries()) {
      found.push({ token: character + (term.run[at + 1] ?? ""), position: found.length + 1 });
    }
  }
  return found;
}

/**
 * Gives the search entries of an article as text for `::tsvector`: `head` for ranking (title A, tags
 * and names B, description C) and `all`, with the body as D, for matching. What exceeds the size of a
 * tsvector is left out from the end; words far down a long body are found, but not in phrases.
 */
export function toTsvector(article: Searchable): { head: string; all: string } {
  const vector: Vector = { entries: new Map(), bytes: 0, offset: 0 };
  addField(vector, article.title, "A");
  for (const text of [...article.tags, ...article.names]) addField(vector, text, "B");
  addField(vector, article.description, "C");
  const head = write(vector);
  addField(vector, article.body, "D");
  return { head, all: write(vector) };
}

interface Vector {
  entries: Map<string, string[]>;
  bytes: number;
  /** Where the next field begins. */
  offset: number;
}

function addField(vector: Vector, text: string, weight: Weight): void {
  let last = vector.offset;
  for (const { token, position } of tokens(text)) {
    if (vector.bytes > MAX_BYTES) return;
    last = vector.offset + position;
    let positions = vector.entries.get(token);
    if (positions === undefined) {
      positions = [];
      vector.entries.set(token, positions);
      vector.bytes += Buffer.byteLength(token) + BYTES_PER_ENTRY;
    }
    if (last > MAX_POSITION || positions.length >= MAX_POSITIONS) continue;
    positions.push(last + weight);
    vector.bytes += BYTES_PER_POSITION;
  }
  vector.offset = last + GAP;
}

function write(vector: Vector): string {
  const entries: string[] = [];
  for (const [token, positions] of vector.entries) {
    entries.push(positions.length === 0 ? quote(token) : `${quote(token)}:${positions.join(",")}`);
  }
  return entries.join(" ");
}

/** Writes a token as PostgreSQL's text search types read it. */
function quote(token: string): string {
  return `'${token.replaceAll(/['\\]/g, "$&$&")}'`;
}

interface QueryPart {
  terms: Term[];
  isPhrase: boolean;
  isExcluded: boolean;
}

/** More than a person types; PostgreSQL's stack bounds the length of a query. */
const MAX_QUERY_CHARACTERS = 1000;
const MAX_QUERY_TERMS = 100;

const QUERY_PART = /(?<minus>(?<!\S)-(?=[^\s-]))?(?:"(?<phrase>[^"]*)"|(?<words>[^\s"]+)|")/g;

/**
 * Gives the words a person looks for as text for `::tsquery`: all must match, "quoted words" as a
 * phrase, -word must not, and the last word may go on. Any text is a query. Null when nothing is left
 * to look for, as in a query of symbols or of exclusions alone: such a query finds nothing.
 */
export function toTsquery(q: string): string | null {
  const parts = readParts(q);
  const wanted = parts.filter((part) => !part.isExcluded);
  if (wanted.length === 0) return null;

  const last = parts.at(-1);
  const conditions = parts.flatMap((part) => {
    if (part.isExcluded) return [`!(${matchPhrase(part.terms)})`];
    if (part.isPhrase) return [`(${matchPhrase(part.terms)})`];
    return part.terms.map((term, at) => matchTerm(term, part === last && at === part.terms.length - 1));
  });
  return [...new Set(conditions)].join(" & ");
}

function readParts(q: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let room = MAX_QUERY_TERMS;
  for (const { groups } of q
    .slice(0, MAX_QUERY_CHARACTERS)
    .replaceAll(/[“”„‟]/g, '"')
    .matchAll(QUERY_PART)) {
    const found = [...terms(groups?.["phrase"] ?? groups?.["words"] ?? "")].slice(0, room);
    if (found.length === 0) continue;
    room -= found.length;
    parts.push({
      terms: found,
      isPhrase: groups?.["phrase"] !== undefined,
      isExcluded: groups?.["minus"] !== undefined,
    });
  }
  return parts;
}

/** Matches one term anywhere. A character alone begins a pair, so it always matches as a beginning. */
function matchTerm(term: Term, mayGoOn: boolean): string {
  const lexemes = lexemesOf(term).map((lexeme) => lexeme.text);
  const last = lexemes.length - 1;
  if (mayGoOn && !lexemes[last]?.endsWith(":*")) lexemes[last] += ":*";
  return lexemes.length === 1 ? lexemes.join("") : `(${lexemes.join(" <-> ")})`;
}

/** Matches the terms in their order and distance. */
function matchPhrase(wanted: readonly Term[]): string {
  let written = "";
  let position = 0;
  let previous = 0;
  for (const term of wanted) {
    for (const { text, offset } of lexemesOf(term)) {
      const distance = position + offset - previous;
      written += written === "" ? text : ` <${distance}> ${text}`;
      previous = position + offset;
    }
    position += "word" in term ? 1 : term.run.length;
  }
  return written;
}

function lexemesOf(term: Term): { text: string; offset: number }[] {
  if ("word" in term) return [{ text: quote(term.word), offset: 0 }];
  const { run } = term;
  if (run.length === 1) return [{ text: `${quote(run.join(""))}:*`, offset: 0 }];
  return run.slice(1).map((character, offset) => ({ text: quote(`${run[offset]}${character}`), offset }));
}
