import { fold } from "./fold.ts";

/** A word, or a run of characters of a script that writes no spaces between words. */
export type Term = { word: string } | { run: readonly string[] };

const MAX_TOKEN_BYTES = 200;

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = SCRIPTS.map((script) => String.raw`\p{Script_Extensions=${script}}`).join("");
const UNSPACED_SIGN = String.raw`(?=[\p{L}\p{N}])[${UNSPACED}]`;
const TERM = new RegExp(
  String.raw`(?:${UNSPACED_SIGN}\p{M}*)+|(?:(?:[a-z0-9_]|(?!${UNSPACED_SIGN})[\p{L}\p{N}])\p{M}*)+`,
  "gu",
);
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const CHARACTER = /.\p{M}*/gsu;

/** Gives the folded words and runs of a text in their order. */
export function* terms(text: string): Generator<Term> {
  for (const [match] of fold(text).matchAll(TERM)) {
    if (match.charCodeAt(0) > 0x7f && BEGINS_UNSPACED.test(match)) {
      // Pairs of characters are stored.
      const characters = match.match(CHARACTER) ?? [];
      yield { run: characters.map((character) => cut(character, MAX_TOKEN_BYTES / 2)) };
      continue;
    }
    // Underscores around a word are emphasis in Markdown.
    const word = match.startsWith("_") || match.endsWith("_") ? match.replaceAll(/^_+|_+$/g, "") : match;
    if (word !== "") yield { word: cut(word, MAX_TOKEN_BYTES) };
  }
}

/** Cuts at a character, so that an entry stays far below what PostgreSQL takes. */
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
