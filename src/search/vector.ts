import { FOLD_VERSION, lower } from "../text/fold.ts";
import type { SearchLanguage, Terms } from "../text/render-pool.ts";
import {
  canBeMisspelt,
  type Compound,
  endsWithDigit,
  otherStem,
  quoteLexeme,
  splitNumber,
  stemToken,
  terms,
  versionNumber,
  type Word,
} from "./tokens.ts";

/** Rows of another version are made again. */
export function searchVersion(language: SearchLanguage): number {
  return FOLD_VERSION * 2 + (language === "english" ? 1 : 0);
}

/** The texts of an article without its body. */
export interface Head {
  title: string;
  tags: readonly string[];
  /** Of the author and the organization. */
  names: readonly string[];
  description: string;
}

/** @param marks tokens for filters, which no text has: "~t12" */
export function headTerms(
  { title, tags, names, description }: Head,
  language: SearchLanguage,
  marks: readonly string[] = [],
): Terms {
  const vector = createVector(MAX_HEAD_BYTES);
  const words = new Set<string>();
  const add = (weight: Weight, texts: readonly string[]) => {
    for (const text of texts) {
      const tokens = rowTokens(text, language);
      addField(vector, { weight, tokens });
      for (const word of writtenIn(tokens)) if (canBeMisspelt(word)) words.add(word);
    }
  };
  add("A", [title]);
  add("B", [...tags, ...names]);
  add("C", [description]);
  return { vector: [...write(vector), ...marks.map(quoteLexeme)].join(" "), words: [...words] };
}

/** Positions leave a gap to those of the head, which PostgreSQL adds when it joins the two. */
export function bodyTerms(body: string, language: SearchLanguage): Terms {
  const vector = createVector(MAX_BODY_BYTES);
  vector.offset = GAP;
  const tokens = rowTokens(body, language);
  addField(vector, { weight: "D", tokens });
  return { vector: write(vector).join(" "), words: frequentWords(tokens) };
}

/** A frequent word is hardly a misspelling. */
const MIN_OCCURRENCES = 4;
/** The most frequent words say what a body is about. */
const MAX_BODY_WORDS = 40;

/** The most frequent first, then in order. */
function frequentWords(tokens: readonly Token[]): string[] {
  const counts = new Map<string, number>();
  for (const word of writtenIn(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, count]) => count >= MIN_OCCURRENCES && canBeMisspelt(word))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_BODY_WORDS)
    .map(([word]) => word);
}

/** Without stems and parts of names. */
function writtenIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ isExtra }) => !isExtra).map(({ token }) => token);
}

export interface Token {
  token: string;
  /** From 1. Tokens of one word share it. */
  position: number;
  /** A stem, or a part of a name. It weighs less. */
  isExtra: boolean;
}

/** A plural such as "APIs" has no parts. */
const CAMEL_BORDER = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
/** A search for Java does not mean JavaScript. */
const WHOLE_NAMES = new Set(
  "coffeescript github gitlab javascript linkedin typescript wordpress youtube".split(" "),
);
/** "c++" is not "c", but "notepad++" and "count++" are also found without their sign. */
const MAX_BARE_SIGN = 2;

/**
 * Words, joined words also as one, and overlapping pairs of characters of unspaced scripts; the last character is a
 * token too, so that every character begins one.
 */
export function rowTokens(text: string, language: SearchLanguage): Token[] {
  const found: Token[] = [];
  let position = 1;
  for (const term of terms(text)) {
    if ("run" in term) {
      for (const [at, character] of term.run.entries()) {
        found.push({ token: character + (term.run[at + 1] ?? ""), position, isExtra: false });
        position++;
      }
      continue;
    }
    addCompound(found, term, { position, language });
    position += term.words.length;
  }
  return found;
}

interface Place {
  position: number;
  language: SearchLanguage;
}

function addCompound(found: Token[], { words, joined }: Compound, { position, language }: Place): void {
  let at = position;
  for (const word of words) addWord(found, word, { position: at++, language });
  if (joined === undefined) return;
  found.push({ token: joined, position, isExtra: false });
  const stem = otherStem(joined, language);
  if (stem !== undefined) found.push({ token: stemToken(stem), position, isExtra: true });
}

function addWord(found: Token[], word: Word, { position, language }: Place): void {
  const { text, dot } = word;
  found.push({ token: text, position, isExtra: false });
  if (dot !== "") found.push({ token: `.${text}`, position, isExtra: false });
  for (const token of extrasOf(word)) found.push({ token, position, isExtra: true });
  const stem = otherStem(text, language);
  if (stem !== undefined) found.push({ token: stemToken(stem), position, isExtra: true });
}

function extrasOf({ text, typed, sign, dot }: Word): string[] {
  const extras = typed === text || WHOLE_NAMES.has(text) ? [] : camelParts(typed);
  if (sign === "++" && text.length - sign.length > MAX_BARE_SIGN) extras.push(text.slice(0, -sign.length));
  if (!endsWithDigit(text)) return extras;
  const [name, number] = splitNumber(text) ?? [];
  if (name !== undefined && number !== undefined) {
    extras.push(name, number);
    if (dot !== "") extras.push(`.${name}`);
  }
  const version = versionNumber(text);
  if (version !== undefined) extras.push(version);
  return extras;
}

function camelParts(typed: string): string[] {
  const parts = typed.split(CAMEL_BORDER);
  return parts.length === 1 ? [] : parts.map(lower).filter((part) => part.length > 1);
}

type Weight = "A" | "B" | "C" | "D";

/** Extras weigh as much as the next field. */
const WEIGHT_OF_EXTRAS = { A: "B", B: "C", C: "D", D: "D" } as const satisfies Record<Weight, Weight>;

/** PostgreSQL's last position, and its positions of one entry. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 256;
/** PostgreSQL refuses entries and positions of more than 1,048,575 bytes together. */
const MAX_HEAD_BYTES = 300_000;
const MAX_BODY_BYTES = 740_000;
const BYTES_PER_ENTRY = 7;
const BYTES_PER_POSITION = 2;

/** Between two fields, so that no phrase is found across them. */
const GAP = 10;

interface Entry {
  /** With their weights: "1A,7D". */
  positions: string;
  count: number;
}

interface Vector {
  entries: Map<string, Entry>;
  bytes: number;
  maxBytes: number;
  offset: number;
}

function createVector(maxBytes: number): Vector {
  return { entries: new Map(), bytes: 0, maxBytes, offset: 0 };
}

/** A title A, each tag and name B, a description C, or a body D. */
interface Field {
  weight: Weight;
  tokens: Token[];
}

/** Leaves out the end of a text that is too large. Late words of a long one have no position: no phrase finds them. */
function addField(vector: Vector, { tokens, weight }: Field): void {
  let last = vector.offset;
  for (const { token, position, isExtra } of tokens) {
    if (vector.bytes > vector.maxBytes) return;
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
  return Array.from(entries, ([token, { positions }]) =>
    positions === "" ? quoteLexeme(token) : `${quoteLexeme(token)}:${positions}`,
  );
}
