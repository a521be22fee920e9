import { type AppError, invalid } from "../errors.ts";
import { faultIn } from "./storable.ts";

/** What an order sorts by, for one row; the id is the last of it. */
export type CursorValues = (string | number)[];

const MAX_LENGTH = 500;

/** Names the last row of a page, so that the next one can begin behind it. Only `decodeCursor` reads it. */
export function encodeCursor(order: string, values: CursorValues): string {
  return Buffer.from(JSON.stringify([order, ...values])).toString("base64url");
}

/**
 * The values that a cursor of this order was made from.
 * @throws AppError invalid when the text is no cursor, or one of another order
 */
export function decodeCursor(order: string, text: string): CursorValues {
  const parts = parse(text);
  if (parts === undefined || parts[0] !== order) throw foreignCursor();
  return parts.slice(1);
}

function parse(text: string): CursorValues | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(parts) && parts.every(isScalar) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** A text that can't be stored can't be asked about either. */
function isScalar(part: unknown): part is string | number {
  return typeof part === "number" || (typeof part === "string" && faultIn(part) === undefined);
}

/** The refusal of a cursor that another list, or nobody, gave. */
export function foreignCursor(): AppError {
  return invalid("cursor is not one that this list gave: start again without it");
}
