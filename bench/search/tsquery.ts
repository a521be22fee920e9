import { parseQuery } from "../../src/search/query.ts";

/** A query as PostgreSQL takes it: all its words must match. Null when nothing is left to look for. */
export function tsqueryOf(q: string): string | null {
  const query = parseQuery(q, { language: "english" });
  return query && (query.exact ?? query.loose);
}
