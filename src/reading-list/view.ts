import { timestamp } from "../text/dates.ts";
import type { MarkRow } from "./queries.ts";

/** The JSON text of a saved article, around that of the article. */
export function item({ id, status, created_at }: MarkRow, article: string): string {
  const mark = { type_of: "readinglist", id, status, created_at: timestamp(created_at) };
  return `${JSON.stringify(mark).slice(0, -1)},"article":${article}}`;
}
