import { invalid } from "../errors.ts";

const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const LAST_BLANK = 0x20;

const TOO_MANY = `The body has more than ${MAX_VALUES} values, counting each object, array, string, number and literal: send fewer`;

/**
 * Counts the values of a JSON text before it is parsed, because parsing a million of them takes seconds and hundreds of
 * megabytes. Each object, array, string, number and literal counts; names don't. The parser decides whether the text is
 * JSON.
 * @throws AppError invalid when there are too many or too deep
 */
export function checkStructure(bytes: Uint8Array): void {
  let [values, depth, isInScalar] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const wasInScalar = isInScalar;
    isInScalar = false;
    if (byte === QUOTE) {
      values++;
      at = endOfText(bytes, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values++;
      if (++depth > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep`);
    } else if (byte === COLON) {
      // The string before it was a name.
      values--;
    } else if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (byte !== COMMA) depth--;
      if (values > MAX_VALUES) throw invalid(TOO_MANY);
    } else if (byte > LAST_BLANK) {
      if (!wasInScalar) values++;
      isInScalar = true;
    }
  }
}

/** The place of the quote that ends a text. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
