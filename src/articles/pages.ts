import type { Freshness } from "../cache/fresh.ts";
import type { Db } from "../db/connect.ts";
import { MAX_OFFSET, tooDeep } from "../http/counted-pages.ts";
import { areValues, type ValueKind, type Values } from "../http/cursor-values.ts";
import { decodeCursor, encodeCursor, foreignCursor } from "../http/cursor.ts";
import * as queries from "./queries.ts";

/** A part of a list, and how to go on behind it. */
export interface Page<Row> {
  rows: Row[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

/** Which part of a list is asked for: behind a cursor, or so many rows from its start. */
export interface Cut {
  limit: number;
  offset: number;
  cursor: string | undefined;
}

/** How a list is ordered, as far as a cursor needs it. */
export interface CursorOrder<Place> {
  name: string;
  kinds: readonly ValueKind[];
  valuesOf(place: Place): Values;
}

interface PageSource<Row, Place> {
  db: Db;
  fresh: Freshness;
  order: CursorOrder<Place>;
  /** Loads rows behind these values, or else from this offset. */
  load(part: { limit: number; offset: number; after: Values | undefined }): Promise<Part<Row, Place>>;
}

export interface Part<Row, Place> {
  rows: Row[];
  /** The place of the last row but one; undefined where there are fewer rows than asked for. */
  lastButOne: Place | undefined;
}

/**
 * Cuts a page from a list of published articles. An offset that no list can reach is empty without
 * a query.
 * @throws AppError invalid for a cursor of another list, and for an offset too deep to count off
 */
export async function cutPage<Row, Place>(
  { limit, offset, cursor }: Cut,
  source: PageSource<Row, Place>,
): Promise<Page<Row>> {
  const { order } = source;
  const after = cursor === undefined ? undefined : valuesOf(cursor, order);
  if (!after && (await isPastEnd(source, offset))) return { rows: [], nextCursor: undefined };
  // One more than asked for tells whether there is a next page.
  const { rows, lastButOne } = await source.load({ limit: limit + 1, offset: after ? 0 : offset, after });
  return {
    rows: rows.slice(0, limit),
    nextCursor: lastButOne && encodeCursor(order.name, [...order.valuesOf(lastButOne)]),
  };
}

/**
 * For lists that may turn out empty before they are cut.
 * @throws AppError invalid for a cursor of another list
 */
export function checkCursor({ cursor }: Cut, order: Pick<CursorOrder<never>, "name" | "kinds">): void {
  if (cursor !== undefined) valuesOf(cursor, order);
}

function valuesOf(cursor: string, { name, kinds }: Pick<CursorOrder<never>, "name" | "kinds">): Values {
  const values = decodeCursor(name, cursor);
  if (!areValues(values, kinds)) throw foreignCursor();
  return values;
}

/**
 * Whether no list can reach this offset.
 * @throws AppError invalid for one too deep to count off
 */
export async function isPastEnd(
  { db, fresh }: { db: Db; fresh: Freshness },
  offset: number,
): Promise<boolean> {
  if (offset === 0) return false;
  const published = await fresh.remember("published-count", () => queries.publishedCount(db));
  if (offset >= published) return true;
  if (offset <= MAX_OFFSET) return false;
  // It costs the same at any depth.
  throw tooDeep("follow the next link of the Link header instead");
}
