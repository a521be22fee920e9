import { lower } from "./fold.ts";
import { otherStem, type SearchLanguage, stemToken } from "./stems.ts";
import { type Compound, endsWithDigit, terms, type Word } from "./tokens.ts";

export interface Token {
  token: string;
  /** From 1. Tokens of one word share its position. */
  position: number;
  /** Whether it is a mere relative of what is written: a stem, or a part of a name. It weighs less. */
  isExtra: boolean;
}

/** Where the words of a camelCase name begin. A plural such as "APIs" has no words. */
const CAMEL_BORDER = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
/** Names that say something else than their parts: who looks for Java does not look for JavaScript. */
const WHOLE_NAMES = new Set([
  "coffeescript",
  "github",
  "gitlab",
  "javascript",
  "linkedin",
  "typescript",
  "wordpress",
  "youtube",
]);
const NAME_AND_NUMBER = /^(\p{L}+)(\p{Nd}{1,4})$/u;
/** The number of a shorter name is most often a part of it: "h264", "s3". */
const MIN_NAME = 3;
const VERSION = /^v(\p{Nd}+)$/u;
/** "c++" is not "c", but "notepad++" and "count++" are also found without their sign. */
const MAX_BARE_SIGN = 2;

/** Takes "python3" apart, which may also be written "Python 3". */
export function splitNumber(
  word: string,
  { minLetters = MIN_NAME } = {},
): [name: string, number: string] | undefined {
  const [, name, number] = (endsWithDigit(word) && NAME_AND_NUMBER.exec(word)) || [];
  if (name === undefined || number === undefined || Array.from(name).length < minLetters) return undefined;
  return [name, number];
}

/** The number of a version that is written "v18". */
export function versionNumber(word: string): string | undefined {
  return VERSION.exec(word)?.[1];
}

/**
 * Gives what a text is found by: its words, joined words also as one, and overlapping pairs of
 * characters where words are not spaced. The last character of such a run is a token too, so that
 * every character begins one.
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
