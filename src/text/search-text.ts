import type { ArticleTokens } from "./article-tokens.ts";
import { fold, FOLD_VERSION } from "./fold.ts";
import { quoteLexeme } from "./lexemes.ts";
import type { Token } from "./row-tokens.ts";
import type { SearchLanguage } from "./stems.ts";
import { cut, terms } from "./tokens.ts";

type Weight = "A" | "B" | "C" | "D";

/** What is not written but follows from it weighs as much as the next field. */
const WEIGHT_OF_EXTRAS = { A: "B", B: "C", C: "D", D: "D" } as const satisfies Record<Weight, Weight>;

/** PostgreSQL's bounds: the last position it tells apart, and the positions of one entry. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 256;
/** PostgreSQL refuses entries and positions of more than 1,048,575 bytes together. */
const MAX_BYTES = 900_000;
const BYTES_PER_ENTRY = 7;
const BYTES_PER_POSITION = 2;

/** Between two fields, so that no phrase is found across them. */
const GAP = 10;

/** What the entries of an article depend on besides its text; rows of another version are made anew. */
export function searchVersion(language: SearchLanguage): number {
  return FOLD_VERSION * 2 + (language === "english" ? 1 : 0);
}

/**
 * Gives the search entries of an article as text for `::tsvector`: `head` for ranking (title A, tags
 * and names B, description C) and `all`, with the body as D, for matching. What exceeds the size of a
 * tsvector is left out from the end; words far down a long body are found, but not in phrases.
 * @param marks tokens for filters, which stand in no text: "~t12"
 */
export function toTsvector(
  article: ArticleTokens,
  marks: readonly string[] = [],
): { head: string; all: string } {
  const vector: Vector = { entries: new Map(), bytes: 0, offset: 0 };
  addField(vector, article.title, "A");
  for (const tokens of article.labels) addField(vector, tokens, "B");
  addField(vector, article.description, "C");
  const quotedMarks = marks.map((mark) => quoteLexeme(mark));
  const head = [...write(vector), ...quotedMarks].join(" ");
  addField(vector, article.body, "D");
  return { head, all: [...write(vector), ...quotedMarks].join(" ") };
}

interface Entry {
  /** With their weights: "1A,7D". */
  positions: string;
  count: number;
}

interface Vector {
  entries: Map<string, Entry>;
  bytes: number;
  /** Where the next field begins. */
  offset: number;
}

function addField(vector: Vector, tokens: readonly Token[], weight: Weight): void {
  let last = vector.offset;
  for (const { token, position, isExtra } of tokens) {
    if (vector.bytes > MAX_BYTES) return;
    last = vector.offset + position;
    const entry = entryOf(vector, token);
    if (last > MAX_POSITION || entry.count >= MAX_POSITIONS) continue;
    const separator = entry.count === 0 ? "" : ",";
    entry.positions += separator + last + (isExtra ? WEIGHT_OF_EXTRAS[weight] : weight);
    entry.count++;
    vector.bytes += BYTES_PER_POSITION;
  }
  vector.offset = last + GAP;
}

function entryOf(vector: Vector, token: string): Entry {
  let entry = vector.entries.get(token);
  if (entry === undefined) {
    entry = { positions: "", count: 0 };
    vector.entries.set(token, entry);
    vector.bytes += Buffer.byteLength(token) + BYTES_PER_ENTRY;
  }
  return entry;
}

function write({ entries }: Vector): string[] {
  const written: string[] = [];
  for (const [token, { positions }] of entries) {
    written.push(positions === "" ? quoteLexeme(token) : `${quoteLexeme(token)}:${positions}`);
  }
  return written;
}

const MAX_KEY_BYTES = 400;

/**
 * Gives what says whether two titles are the same to a reader: their words, whatever stands between
 * them; of a title without words, its signs.
 */
export function titleKey(title: string): string {
  const words: string[] = [];
  for (const term of terms(title)) {
    if ("run" in term) words.push(term.run.join(""));
    else for (const { text } of term.words) words.push(text);
  }
  const key = words.length > 0 ? words.join(" ") : fold(title).replaceAll(/\s+/g, " ").trim();
  return cut(key, MAX_KEY_BYTES).trimEnd();
}
