import { invalid } from "../errors.ts";

const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const LAST_BLANK = 0x20;

/**
 * Counts the values of a JSON text while its bytes arrive, because parsing a million of them takes seconds and
 * hundreds of megabytes. Each object, array, string, number and literal counts; names don't. Whether the text is JSON is
 * left to the parser.
 * @returns a function for each piece in turn, which throws AppError invalid when there are too many or too deep
 */
export function createStructureCheck(): (piece: Uint8Array) => void {
  let state = { values: 0, depth: 0, isInText: false, isEscaped: false, isInScalar: false };
  return (piece) => {
    state = follow(state, piece);
  };
}

interface State {
  values: number;
  depth: number;
  isInText: boolean;
  isEscaped: boolean;
  /** Whether the place is in a number or a literal. */
  isInScalar: boolean;
}

/** Keeps the state in local variables, which is several times as fast. */
function follow(state: State, piece: Uint8Array): State {
  let { values, depth, isInText, isEscaped, isInScalar } = state;
  for (let index = 0; index < piece.length; index++) {
    const byte = piece[index] as number;
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInText = false;
    } else if (byte > LAST_BLANK && !isPunctuation(byte)) {
      if (!isInScalar) values++;
      isInScalar = true;
    } else {
      isInScalar = false;
      if (byte === QUOTE) {
        isInText = true;
        values++;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        values++;
        if (++depth > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep`);
      } else if (byte === COLON) {
        // The string before it was a name.
        values--;
      } else if (byte > LAST_BLANK) {
        if (byte !== COMMA) depth--;
        if (values > MAX_VALUES) throw invalid(TOO_MANY);
      }
    }
  }
  return { values, depth, isInText, isEscaped, isInScalar };
}

const TOO_MANY = `The body has more than ${MAX_VALUES} values, counting each object, array, string, number and literal: send fewer`;

function isPunctuation(byte: number): boolean {
  return (
    byte === QUOTE ||
    byte === COMMA ||
    byte === COLON ||
    byte === OPEN_OBJECT ||
    byte === CLOSE_OBJECT ||
    byte === OPEN_ARRAY ||
    byte === CLOSE_ARRAY
  );
}
