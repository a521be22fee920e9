const WORDS_PER_MINUTE = 275;

/** Chinese and Japanese: about two characters in the time of an English word. */
const CHARACTERS_PER_CHUNK = 2;
/** Thai, Lao, Khmer and Burmese, vowel signs included. */
const SIGNS_PER_CHUNK = 5;

/** Classes of many ranges are slow in V8, so lookaheads and alternatives keep ASCII from them. */
const IDEOGRAPHS = /(?![\0-\x7f])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
const UNSPACED_SIGNS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const WORDS = /(?:[A-Za-z0-9_]|(?![\0-\x7f])[\p{L}\p{N}\p{M}])+/gu;

/** 0 for an empty body. */
export const readingMinutes = (body: string): number => Math.ceil(countWords(body) / WORDS_PER_MINUTE);

/** A word is a run of word characters; unspaced scripts are counted by characters, as many as take the time of a word. */
export function countWords(body: string): number {
  const ideographs = count(body, IDEOGRAPHS);
  const signs = count(body, UNSPACED_SIGNS);
  const spaced =
    ideographs + signs === 0 ? body : body.replaceAll(IDEOGRAPHS, " ").replaceAll(UNSPACED_SIGNS, " ");
  return (
    count(spaced, WORDS) + Math.ceil(ideographs / CHARACTERS_PER_CHUNK) + Math.ceil(signs / SIGNS_PER_CHUNK)
  );
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
