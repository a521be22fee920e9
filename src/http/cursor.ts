import { type AppError, invalid } from "../errors.ts";
import { faultIn } from "../text/valid-text.ts";

/** The values that an order sorts by; the id comes last. */
export type CursorValues = readonly (string | number)[];

/** How cursors of one order of a list hold the sort key of a row. */
export interface CursorFormat<Key> {
  /** The name of the order. A cursor fits only lists of this order. */
  name: string;
  toValues(key: Key): CursorValues;
  /** Undefined for values that no row of this order has: cursors come from outside. */
  toKey(values: CursorValues): Key | undefined;
}

const MAX_LENGTH = 500;

export function encodeCursor<Key>({ name, toValues }: CursorFormat<Key>, key: Key): string {
  return Buffer.from(JSON.stringify([name, ...toValues(key)])).toString("base64url");
}

export function decodeCursor<Key>({ name, toKey }: CursorFormat<Key>, text: string): Key {
  const parts = parse(text);
  const key = parts?.[0] === name ? toKey(parts.slice(1)) : undefined;
  if (key === undefined) throw foreignCursor();
  return key;
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

/** Such a text can't be stored, so no row has it. */
function isScalar(part: unknown): part is string | number {
  return typeof part === "number" || (typeof part === "string" && faultIn(part) === undefined);
}

function foreignCursor(): AppError {
  return invalid("cursor is not one that this list gave: start again without it");
}

const MAX_INT = 2_147_483_647;
const KINDS = {
  int: (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT,
  float: (value: unknown) => Number.isFinite(value),
  date: (value: unknown) => typeof value === "string" && isInstant(value),
};

/** As `toISOString` writes it. PostgreSQL has no year 0. */
function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && date.getUTCFullYear() > 0;
}

export function areValues(values: CursorValues, kinds: readonly (keyof typeof KINDS)[]): boolean {
  return values.length === kinds.length && kinds.every((kind, index) => KINDS[kind](values[index]));
}
