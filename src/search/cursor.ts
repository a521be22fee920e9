import { areValues } from "../http/cursor-values.ts";
import { decodeCursor, encodeCursor, foreignCursor } from "../http/cursor.ts";
import type { SortKey } from "./matches.ts";

export type SearchOrder = "relevance" | "popularity";

/** The last match of a page: a ranked one, or one in the order of popularity. */
export type Last = { rank: number; article_id: number } | SortKey;

/** What a page goes on behind. */
export interface Start {
  /** Whether misspelt words were read as others. */
  isSimilar: boolean;
  last: Last;
}

const NAMES: Record<SearchOrder, string> = { relevance: "search", popularity: "search-top" };

export function writeCursor(order: SearchOrder, { isSimilar, last }: Start): string {
  const values =
    "rank" in last
      ? [last.rank, last.article_id]
      : [last.reactions, last.published_at.toISOString(), last.article_id];
  return encodeCursor(NAMES[order], [isSimilar ? 1 : 0, ...values]);
}

/**
 * Reads what `writeCursor` wrote.
 * @throws AppError invalid for a cursor of another list
 */
export function readCursor(order: SearchOrder, cursor: string): Start {
  const [similar, ...values] = decodeCursor(NAMES[order], cursor);
  if (similar !== 0 && similar !== 1) throw foreignCursor();
  const isSimilar = similar === 1;
  if (order === "relevance" && areValues(values, ["float", "int"])) {
    const [rank, article_id] = values as [number, number];
    return { isSimilar, last: { rank, article_id } };
  }
  if (!areValues(values, ["int", "date", "int"])) throw foreignCursor();
  const [reactions, date, article_id] = values as [number, string, number];
  return { isSimilar, last: { reactions, published_at: new Date(date), article_id } };
}
