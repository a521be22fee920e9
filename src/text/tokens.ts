import { fold } from "./fold.ts";

/** A word, or a run of characters of a script that writes no spaces between words. */
export type Term = { word: string } | { run: readonly string[] };

export interface Token {
  token: string;
  position: number;
}

const MAX_TOKEN_BYTES = 200;

const UNSPACED = [
  ...["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"],
  ...["Thai", "Lao", "Khmer", "Myanmar"],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join("");
const IS_UNSPACED = String.raw`(?=[\p{L}\p{N}])[${UNSPACED}]`;
const TERM = new RegExp(
  String.raw`(?:${IS_UNSPACED}\p{M}*)+|(?:[a-z0-9_]|(?!${IS_UNSPACED})[\p{L}\p{N}_]\p{M}*)+`,
  "gu",
);
const CHARACTER = /.\p{M}*/gsu;
const FIRST_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Gives the folded words and runs of a text in their order. */
export function* terms(text: string): Generator<Term> {
  for (const [match] of fold(text).matchAll(TERM)) {
    if (match.charCodeAt(0) > 0x7f && FIRST_UNSPACED.test(match)) {
      yield { run: (match.match(CHARACTER) ?? []).map(cut) };
      continue;
    }
    // Underscores around a word are emphasis in Markdown.
    const word = match.replace(/^_+/, "").replace(/_+$/, "");
    if (word !== "") yield { word: cut(word) };
  }
}

/**
 * Gives what a text is found by: its words, and overlapping pairs of characters where words are not
 * spaced. The last character of such a run is a token too, so that every character begins one.
 * Positions count from 1.
 */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let position = 1;
  for (const term of terms(text)) {
    if ("word" in term) {
      found.push({ token: term.word, position: position++ });
      continue;
    }
    for (const [at, character] of term.run.entries()) {
      found.push({ token: character + (term.run[at + 1] ?? ""), position: position++ });
    }
  }
  return found;
}

/** Cuts at a character, so that an entry stays far below what PostgreSQL takes. */
function cut(token: string): string {
  if (token.length * 3 <= MAX_TOKEN_BYTES || Buffer.byteLength(token) <= MAX_TOKEN_BYTES) return token;
  let bytes = 0;
  let end = 0;
  for (const character of token) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_TOKEN_BYTES) break;
    end += character.length;
  }
  return token.slice(0, end);
}
