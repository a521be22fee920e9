/**
 * The marks of these alphabets are accents that readers may leave out. V8 calls a function for each character that a
 * class of many ranges is tried on; the first lookahead spares most of them.
 */
const ACCENTS = /(?![\0-\x7f])(?=\p{M})(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

/** Arabic and Hebrew are mostly written without these. */
const OPTIONAL_SIGNS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;

/** These signs would become letters of the word before them. */
const TRADE_SIGNS = /[™℠]/g;

const SPELLINGS: Record<string, string> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  þ: "th",
  Þ: "Th",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
};
const RESPELT = new RegExp(`[${Object.keys(SPELLINGS).join("")}]`, "g");

/** Letters that stand for an apostrophe, as in Ukrainian and Hawaiian. */
const APOSTROPHES = /[ʼʻ]/g;

/** Most texts are ASCII, and take a shorter way. */
export const ASCII = /^\p{ASCII}*$/u;

/**
 * The spelling for search: lower case, without accents, compatibility forms unified. Marks that make another letter
 * (Indic, Thai, kana) stay.
 */
export function fold(text: string): string {
  return lower(unify(text));
}

function unify(text: string): string {
  return ASCII.test(text) ? text.replaceAll(/\p{Cc}/gu, " ") : withoutAccents(decompose(text));
}

/** Folds all but the case, which shows the words of a camelCase name, and the accents, which stemmers need. */
export function spell(text: string): string {
  return ASCII.test(text) ? text.replaceAll(/\p{Cc}/gu, " ") : decompose(text).normalize("NFC");
}

export function foldSpelt(spelt: string): string {
  return lower(ASCII.test(spelt) ? spelt : withoutAccents(spelt.normalize("NFD")));
}

function decompose(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(TRADE_SIGNS, " ")
    .normalize("NFKD")
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/[\p{Cf}\ufe00-\ufe0f]/gu, "")
    .replaceAll(OPTIONAL_SIGNS, "")
    .replaceAll(APOSTROPHES, "'");
}

function withoutAccents(decomposed: string): string {
  return decomposed
    .replaceAll(ACCENTS, "")
    .replaceAll(RESPELT, (letter) => SPELLINGS[letter] ?? letter)
    .normalize("NFC");
}

/** ASCII, or a character with the marks, invisible signs and letters of Hangul that may become one with it. */
const PIECE = /[\0-\x7f]+(?=[\0-\x7f]|$)|[^][\u1160-\u11ff\p{M}\p{Cf}]*/gu;

/** Maps each place of a spelt text, and its end, to the place in the text itself. */
export function originalPlaces(text: string): number[] {
  const places: number[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const { length } = ASCII.test(piece) ? piece : spell(piece);
    const isSame = length === piece.length;
    for (let at = 0; at < length; at++) places.push(isSame ? index + at : index);
  }
  places.push(text.length);
  return places;
}

export function lower(spelt: string): string {
  const text = spelt.toLowerCase();
  return text.includes("ς") ? text.replaceAll("ς", "σ") : text;
}

/** Raise it when the same text gets other tokens. Rows of older versions are made again. */
export const FOLD_VERSION = 4;
