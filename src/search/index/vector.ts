import { FOLD_VERSION, foldSpelt, lower } from "../../content/text/fold.ts";
import type { BodyTerms, Terms } from "../../content/text/render-pool.ts";
import {
  type SearchLanguage,
  type Language,
  LANGUAGES,
  searchLanguageOf,
} from "../../platform/text/search-languages.ts";
import { ownStem } from "./stemming.ts";
import {
  canBeMisspelt,
  endsWithDigit,
  quoteLexeme,
  splitNumber,
  terms,
  versionNumber,
  type Word,
} from "./tokens.ts";

/** Rows of another version are made again. */
export function searchVersion(site: SearchLanguage): number {
  return FOLD_VERSION * MOST_LANGUAGES + LANGUAGES.indexOf(site as Language) + 1;
}

const MOST_LANGUAGES = 64;

export interface Head {
  title: string;
  tags: readonly string[];
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
  const add = (weight: Weight, texts: readonly string[]) => {
    for (const text of texts) addField(vector, { text, weight, language });
  };
  add("A", [title]);
  add("B", [...tags, ...names]);
  add("C", [description]);
  const words = [...vector.entries].filter(([word, { uses }]) => uses > 0 && canBeMisspelt(word));
  return {
    vector: [write(vector), ...marks.map(quoteLexeme)].join(" ").trimStart(),
    words: words.map(([word]) => word),
  };
}

/**
 * Positions leave a gap to those of the head, which PostgreSQL adds when it joins the two.
 * @param code the article's language (BCP 47), if it is sure
 */
export function bodyTerms(body: string, site: SearchLanguage, code?: string | null): BodyTerms {
  const language = searchLanguageOf(code, site);
  const vector = createVector(MAX_BODY_BYTES);
  vector.offset = FIELD_GAP;
  addField(vector, { text: body, weight: "D", language });
  return { vector: write(vector), words: frequentWords(vector), language, version: searchVersion(site) };
}

/** A frequent word is hardly a misspelling. */
const MIN_OCCURRENCES = 4;
/** The most frequent words say what a body is about. */
const MAX_BODY_WORDS = 40;

/** The most frequent words come first, then the earlier ones. */
function frequentWords({ entries }: Vector): string[] {
  return [...entries]
    .filter(([word, { uses }]) => uses >= MIN_OCCURRENCES && canBeMisspelt(word))
    .toSorted(([, one], [, other]) => other.uses - one.uses)
    .slice(0, MAX_BODY_WORDS)
    .map(([word]) => word);
}

type Weight = "A" | "B" | "C" | "D";

/** Stems and parts of names weigh as much as the next field, the stem of a part as the one behind that. */
const WEIGHTS = { A: "ABC", B: "BCD", C: "CDD", D: "DDD" } as const satisfies Record<Weight, string>;

/** The last position that PostgreSQL keeps, and how many it keeps of one entry. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 256;
/** PostgreSQL refuses entries and positions of more than 1,048,575 bytes together. */
const MAX_HEAD_BYTES = 300_000;
const MAX_BODY_BYTES = 740_000;
const BYTES_PER_ENTRY = 7;
const BYTES_PER_POSITION = 2;

/** Two fields are this many positions apart, so that no phrase is found across them. */
export const FIELD_GAP = 10;

interface Entry {
  /** The positions with their weights: "1A,7D". */
  positions: string;
  count: number;
  /** How often it is a word, not a stem or a part of a name. */
  uses: number;
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
  text: string;
  weight: Weight;
  language: SearchLanguage;
}

/** Leaves out the end of a text that is too large. Late words of a long one have no position: no phrase finds them. */
function addField(vector: Vector, { text, weight, language }: Field): void {
  const { entries, offset } = vector;
  const weights = WEIGHTS[weight];
  let last = offset;
  readTokens(text, language, ({ token, bytes, derived }, at) => {
    if (vector.bytes > vector.maxBytes) return;
    last = offset + at;
    let entry = entries.get(token);
    if (entry === undefined) {
      entry = { positions: "", count: 0, uses: 0 };
      entries.set(token, entry);
      vector.bytes += bytes + BYTES_PER_ENTRY;
    }
    if (derived === 0) entry.uses++;
    if (last > MAX_POSITION || entry.count >= MAX_POSITIONS) return;
    const separator = entry.count === 0 ? "" : ",";
    entry.positions += separator + last + weights[derived];
    entry.count++;
    vector.bytes += BYTES_PER_POSITION;
  });
  vector.offset = last + FIELD_GAP;
}

function write({ entries }: Vector): string {
  let written = "";
  for (const [token, { positions }] of entries) {
    if (written !== "") written += " ";
    written += quoteLexeme(token);
    if (positions !== "") written += `:${positions}`;
  }
  return written;
}

export interface Token {
  token: string;
  bytes: number;
  /** How often it is derived: 1 for a stem or a part of a name, 2 for the stem of a part. It weighs less. */
  derived: number;
}

function makeToken(token: string, derived = 0): Token {
  return { token, bytes: Buffer.byteLength(token), derived };
}

/** A plural such as "APIs" has no parts. */
const CAMEL_BORDER = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
/** Spares most words the search for a border. */
const ONE_PART = /^[A-Z]?[a-z]*$/;
/** A search for Java does not mean JavaScript. */
const WHOLE_NAMES = new Set(
  "coffeescript github gitlab javascript linkedin typescript wordpress youtube".split(" "),
);
/** "c++" is not "c", but "notepad++" and "count++" are also found without their sign. */
const MAX_BARE_SIGN = 2;

/** `start` and `end` are places in the spelt text. */
type Visit = (token: Token, position: number, start: number, end: number) => void;

/**
 * Words, joined words also as one, and overlapping pairs of characters of unspaced scripts; the last character is a
 * token too, so that every character begins one. Positions begin at 1, and tokens of one word share theirs.
 * @param isWanted leaves out the tokens of other words, which take most of the time
 */
export function readTokens(
  text: string,
  language: SearchLanguage,
  visit: Visit,
  isWanted: (word: Word) => boolean = () => true,
): void {
  let position = 1;
  for (const term of terms(text)) {
    if ("run" in term) {
      let { start } = term;
      for (const [at, character] of term.run.entries()) {
        const token = makeToken(character + (term.run[at + 1] ?? ""));
        visit(token, position++, start, start + token.token.length);
        start += character.length;
      }
      continue;
    }
    const [first, begin] = [position, term.words[0]?.start ?? 0];
    let end = begin;
    for (const word of term.words) {
      end = word.start + word.typed.length + word.sign.length;
      if (isWanted(word))
        for (const token of tokensOf(word, language)) visit(token, position, word.start, end);
      position++;
    }
    if (term.joined === undefined) continue;
    for (const token of joinedTokens(term.joined, language)) visit(token, first, begin, end);
  }
}

/** Most words of a text are frequent ones. */
const known = new Map<SearchLanguage, Map<string, readonly Token[]>>();
const MAX_KNOWN = 10_000;
/** V8 keeps the whole text that a longer word is cut from. */
const MAX_KNOWN_CHARACTERS = 12;

function remembered(key: string, language: SearchLanguage, make: () => readonly Token[]): readonly Token[] {
  let words = known.get(language);
  if (words === undefined) known.set(language, (words = new Map()));
  let tokens = words.get(key);
  if (tokens === undefined) {
    tokens = make();
    if (words.size >= MAX_KNOWN) words.clear();
    if (key.length <= MAX_KNOWN_CHARACTERS) words.set(key, tokens);
  }
  return tokens;
}

function tokensOf(word: Word, language: SearchLanguage): readonly Token[] {
  const { typed, sign, dot } = word;
  const key = dot === "" ? typed + sign : `${typed}${sign}.`;
  return remembered(key, language, () => makeTokens(word, language));
}

function joinedTokens(joined: string, language: SearchLanguage): readonly Token[] {
  return remembered(`~${joined}`, language, () => withStem(makeToken(joined), joined, language));
}

function makeTokens(word: Word, language: SearchLanguage): Token[] {
  const { text, typed, dot } = word;
  const tokens = withStem(makeToken(text), lower(typed), language);
  if (dot !== "") tokens.push(makeToken(`.${text}`));
  for (const extra of extrasOf(word))
    tokens.push(...withStem(makeToken(foldSpelt(extra), 1), extra, language));
  return tokens;
}

function withStem(token: Token, spelt: string, language: SearchLanguage): Token[] {
  const stem = ownStem(language, token.token, spelt);
  return stem === undefined ? [token] : [token, makeToken(stem, token.derived + 1)];
}

function extrasOf({ text, typed, sign, dot }: Word): string[] {
  const extras = lower(typed) === typed || WHOLE_NAMES.has(text) ? [] : camelParts(typed);
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
  if (ONE_PART.test(typed)) return [];
  const parts = typed.split(CAMEL_BORDER);
  return parts.length === 1 ? [] : parts.map(lower).filter((part) => part.length > 1);
}
