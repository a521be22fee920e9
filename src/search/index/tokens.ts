import { ASCII, fold, foldSpelt, lower, spell } from "../../content/text/fold.ts";

export interface Word {
  /** Folded, with its sign: "c++". */
  text: string;
  /** The word before its case and accents are folded, without the sign. */
  typed: string;
  sign: "" | "++" | "#";
  /** Leading (".net"), or inside a compound ("node.js"). */
  dot: "" | "leading" | "inner";
  /** The place in the spelt text; a dot stands before it. */
  start: number;
}

/** Words joined without spaces; most often one. */
export interface Compound {
  words: readonly Word[];
  /** The words written as one: "nodejs" for "node.js". */
  joined: string | undefined;
}

export interface Run {
  run: readonly string[];
  /** The place in the spelt text. */
  start: number;
}

export type Term = Compound | Run;

const MAX_TOKEN_BYTES = 200;
const MAX_JOINED_BYTES = 64;
const MAX_JOINED_WORDS = 5;

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = `[${SCRIPTS.map((script) => String.raw`\p{Script_Extensions=${script}}`).join("")}]`;
const UNSPACED_SIGN = String.raw`[[\p{L}\p{N}]&&${UNSPACED}]`;
const SPACED_SIGN = String.raw`[[\p{L}\p{N}]--${UNSPACED}]`;
const SPACED_LETTER = String.raw`[\p{L}--${UNSPACED}]`;

/** Words of ASCII first: the other classes, of many ranges, take three times as long. */
const RUN_OR_WORD = new RegExp(
  String.raw`[A-Za-z0-9]+(?![A-Za-z0-9]|[^\0-\x7f])|(?=[A-Za-z0-9]|[^\0-\x7f])(?:${UNSPACED_SIGN}[${UNSPACED_SIGN}\p{M}]*|${SPACED_SIGN}[${SPACED_SIGN}\p{M}]*)`,
  "gv",
);
const BEGINS_RUN = new RegExp(`^${UNSPACED_SIGN}`, "v");
const ASCII_WORD = /[A-Za-z0-9]+/g;
const CHARACTER = /.\p{M}*/gsu;
/** The hyphen U+2010 is also what its no-break form unifies to. */
const CONNECTORS = /^[-.\u2010_/@:'’&+#=?%~]{1,3}$/;

/** A version may follow: "c++17", "c#12". */
const IS_PLUS_PLUS = new RegExp(String.raw`\+\+(?![+\p{M}]|${SPACED_LETTER})`, "vy");
const IS_SHARP = new RegExp(String.raw`#(?![#\p{M}]|${SPACED_LETTER})`, "vy");
const ONE_LETTER = /^\p{L}$/u;
const BEGINS_WITH_LETTER = /^\p{L}/u;
const GOES_ON_BEFORE_DOT = new RegExp(String.raw`(?:\.|${SPACED_SIGN}\p{M}*)$`, "v");
const BEGINS_WITH_DIGIT = /^\p{Nd}/u;
const DIGIT = /\p{Nd}/u;

/** The scheme of an address is no word: every article with a link would have it. */
const IS_SCHEME = /^https?$/i;

export function* terms(text: string): Generator<Term> {
  const spelt = spell(text);
  let words: Word[] = [];
  let from = 0;
  for (const match of spelt.match(ASCII.test(spelt) ? ASCII_WORD : RUN_OR_WORD) ?? []) {
    // No character between two matches begins one.
    const start = spelt.indexOf(match, from);
    const isRun = match > "\x7f" && BEGINS_RUN.test(match);
    if (words.length > 0 && (isRun || !joins(spelt, from, start))) {
      yield compound(words);
      words = [];
    }
    from = start + match.length;
    if (IS_SCHEME.test(match) && spelt.startsWith("://", from)) continue;
    if (isRun) {
      yield readRun(match, start);
      continue;
    }
    const word = readWord(spelt, start, match);
    words.push(word);
    from += word.sign.length;
  }
  if (words.length > 0) yield compound(words);
}

/** Whether only connectors stand between two words, or nothing, as in "c++17". */
function joins(text: string, end: number, start: number): boolean {
  if (start === end) return true;
  return start - end <= 3 && text[end] !== " " && CONNECTORS.test(text.slice(end, start));
}

/** Numbers keep a point, so that "1.29" is not "129". */
function pointBetween(before: string, after: string): string {
  return endsWithDigit(before) && BEGINS_WITH_DIGIT.test(after) ? "." : "";
}

export function endsWithDigit(word: string): boolean {
  const last = word.at(-1) ?? "";
  return last < "\x80" ? last >= "0" && last <= "9" : DIGIT.test(last);
}

function compound(words: readonly Word[]): Compound {
  if (words.length === 1 || words.length > MAX_JOINED_WORDS) return { words, joined: undefined };
  let joined = "";
  for (const { text } of words) joined += pointBetween(joined, text) + text;
  return { words, joined: Buffer.byteLength(joined) <= MAX_JOINED_BYTES ? joined : undefined };
}

function readRun(match: string, start: number): Run {
  const characters = lower(match).match(CHARACTER) ?? [];
  // Pairs of characters are stored.
  return { run: characters.map((character) => cut(character, MAX_TOKEN_BYTES / 2)), start };
}

function readWord(text: string, start: number, match: string): Word {
  const typed = cut(match, MAX_TOKEN_BYTES);
  const folded = cut(foldSpelt(typed), MAX_TOKEN_BYTES);
  const sign = signAt(text, start + match.length, folded);
  return {
    text: folded + sign,
    typed,
    sign,
    dot: text[start - 1] === "." ? dotBefore(text, start, match) : "",
    start,
  };
}

function signAt(text: string, end: number, word: string): Word["sign"] {
  const next = text[end];
  if (next === "+") return isAt(IS_PLUS_PLUS, text, end) ? "++" : "";
  return next === "#" && ONE_LETTER.test(word) && isAt(IS_SHARP, text, end) ? "#" : "";
}

function isAt(sticky: RegExp, text: string, index: number): boolean {
  sticky.lastIndex = index;
  return sticky.test(text);
}

function dotBefore(text: string, start: number, word: string): Word["dot"] {
  if (!BEGINS_WITH_LETTER.test(word) || text[start - 2] === ".") return "";
  return GOES_ON_BEFORE_DOT.test(text.slice(Math.max(0, start - 8), start - 1)) ? "inner" : "leading";
}

/** PostgreSQL bounds the size of an entry. */
function cut(token: string, maxBytes: number): string {
  if (token.length * 3 <= maxBytes || Buffer.byteLength(token) <= maxBytes) return token;
  let bytes = 0;
  let end = 0;
  for (const character of token) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return token.slice(0, end);
}

const MAX_KEY_BYTES = 400;

/** Titles of equal words have equal keys; the key of a title without words is its signs. */
export function titleKey(title: string): string {
  const words: string[] = [];
  for (const term of terms(title)) {
    if ("run" in term) words.push(term.run.join(""));
    else for (const { text } of term.words) words.push(text);
  }
  const key = words.length > 0 ? words.join(" ") : fold(title).replaceAll(/\s+/g, " ").trim();
  return cut(key, MAX_KEY_BYTES).trimEnd();
}

const NAME_AND_NUMBER = /^(\p{L}+)(\p{Nd}{1,4})$/u;
/** The number of a shorter name is most often a part of it: "h264", "s3". */
const MIN_NAME = 3;
const VERSION = /^v(\p{Nd}+)$/u;

export function splitNumber(
  word: string,
  { minLetters = MIN_NAME } = {},
): [name: string, number: string] | undefined {
  const [, name, number] = (endsWithDigit(word) && NAME_AND_NUMBER.exec(word)) || [];
  if (name === undefined || number === undefined || Array.from(name).length < minLetters) return undefined;
  return [name, number];
}

export function versionNumber(word: string): string | undefined {
  return VERSION.exec(word)?.[1];
}

const CORRIGIBLE_ENGLISH = /^[a-z]{3,40}$/;
/** Longer words are no words, and expensive to compare. */
const CORRIGIBLE = /^[\p{L}\p{M}\p{N}]{3,40}$/u;

/**
 * Long enough, not mostly digits, and of a script with spaces between words. Only such words are corrected, into such
 * words.
 */
export function canBeMisspelt(word: string): boolean {
  if (CORRIGIBLE_ENGLISH.test(word)) return true;
  if (!CORRIGIBLE.test(word)) return false;
  const digits = word.match(/\p{N}/gu)?.length ?? 0;
  return digits * 2 <= Array.from(word).length && [...terms(word)].every((term) => !("run" in term));
}

export function quoteLexeme(token: string): string {
  const isPlain = !token.includes("'") && !token.includes("\\");
  return `'${isPlain ? token : token.replaceAll(/['\\]/g, "$&$&")}'`;
}
