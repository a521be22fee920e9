import { foldSpelt, lower } from "../../content/text/fold.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";
import { ownStem } from "./stemming.ts";
import { endsWithDigit, splitNumber, terms, versionNumber, type Word } from "./tokens.ts";

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
