import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { fold } from "../text/fold.ts";

const MAX_SUGGESTIONS = 6;

/** Bounds the sorting of words with a common beginning. */
const MAX_WORDS = 500;

/** What a reader may be typing: the query with its last word completed, most common words first. */
export async function suggestionsFor(db: Db, typed: string): Promise<string[]> {
  const [, before = "", beginning = ""] = /^(.*?)([\p{L}\p{N}\p{M}_]*)$/su.exec(fold(typed)) ?? [];
  if (beginning.length < 2) return [];
  const { rows } = await sql<{ word: string }>`
    select word from (
      select word, articles_count from search_words
      where word like ${`${beginning.replaceAll("_", String.raw`\_`)}%`} limit ${MAX_WORDS}
    ) as found
    where articles_count > 0 order by articles_count desc, word limit ${MAX_SUGGESTIONS}`.execute(db);
  return rows.map(({ word }) => before + word);
}
