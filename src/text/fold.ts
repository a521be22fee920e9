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
  // Letters that stand for an apostrophe, as in Ukrainian and Hawaiian.
  ʼ: "'",
  ʻ: "'",
};
const RESPELT = new RegExp(`[${Object.keys(SPELLINGS).join("")}]`, "g");

/** Most texts are ASCII, and take a shorter way. */
export const ASCII = /^\p{ASCII}*$/u;

/**
 * The spelling for search: lower case, without accents, compatibility forms unified. Marks that make another letter
 * (Indic, Thai, kana) stay.
 */
export function fold(text: string): string {
  return lower(unify(text));
}

/** Folds all but the case, which shows the words of a camelCase name. */
export function unify(text: string): string {
  if (ASCII.test(text)) return text.replaceAll(/\p{Cc}/gu, " ");
  return text
    .toWellFormed()
    .replaceAll(TRADE_SIGNS, " ")
    .normalize("NFKD")
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/[\p{Cf}\ufe00-\ufe0f]/gu, "")
    .replaceAll(OPTIONAL_SIGNS, "")
    .replaceAll(ACCENTS, "")
    .replaceAll(RESPELT, (letter) => SPELLINGS[letter] ?? letter)
    .normalize("NFC");
}

/** ASCII, or a character with the marks, invisible signs and letters of Hangul that may become one with it. */
const PIECE = /[\0-\x7f]+(?=[\0-\x7f]|$)|[^][\u1160-\u11ff\p{M}\p{Cf}]*/gu;

/** Maps each place of a unified text, and its end, to the place in the text itself. */
export function originalPlaces(text: string): number[] {
  const places: number[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const { length } = ASCII.test(piece) ? piece : unify(piece);
    const isSame = length === piece.length;
    for (let at = 0; at < length; at++) places.push(isSame ? index + at : index);
  }
  places.push(text.length);
  return places;
}

export function lower(unified: string): string {
  const text = unified.toLowerCase();
  return text.includes("ς") ? text.replaceAll("ς", "σ") : text;
}

/** Raise it when the same text gets other tokens. Rows of older versions are made again. */
export const FOLD_VERSION = 3;
