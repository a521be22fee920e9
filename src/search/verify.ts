import { sql } from "kysely";
import { createResponseCache } from "../cache.ts";
import type { Db } from "../db/connect.ts";
import { SearchMemory } from "../search-index/memory.ts";
import type { SearchLanguage } from "../text/render-pool.ts";
import { find, type Search } from "./find.ts";

const SAMPLE = 50;
const ROWS = 30;

/** Titles that are spread over all articles. */
async function titles(db: Db): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from articles join published_articles on article_id = id
    where id % greatest(1, (select count(*) / ${SAMPLE}::int from published_articles)) = 0
    limit ${SAMPLE}`.execute(db);
  return rows.map(({ title }) => title);
}

/** A word, two words, and the whole. */
function queriesOf(title: string): string[] {
  const words = title.split(/\s+/);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  return [...new Set([first, `${first} ${last}`, title])].map((q) => q.slice(0, 200));
}

/**
 * A sentence for each search of a sample that finds something else with this memory than without.
 * @param tx on one snapshot
 */
export async function compareMemory(
  tx: Db,
  { maxBytes, language, now }: { maxBytes: number; language: SearchLanguage; now: Date },
): Promise<{ searches: number; faults: string[] }> {
  const sources = [maxBytes, 0].map((bytes) => ({
    db: tx,
    memory: new SearchMemory(bytes),
    cache: createResponseCache([]),
  }));
  for (const { memory, cache } of sources) await memory.load(tx, cache);
  const queries = [...new Set((await titles(tx)).flatMap(queriesOf))];
  const faults: string[] = [];
  for (const q of queries) {
    const search: Search = { q, tagId: undefined, since: undefined, order: "relevance", language, now };
    const found: string[] = [];
    for (const source of sources) {
      const { rows, match, next } = await find(source, search, { limit: ROWS, offset: 0 });
      found.push(JSON.stringify([rows, match, next]));
    }
    if (found[0] !== found[1])
      faults.push(`A search for "${q}" finds something else in memory than in the tables.`);
  }
  return { searches: queries.length, faults };
}
