import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { fold } from "../text/fold.ts";
import type { Meant } from "../search-index/terms.ts";

/** Each is looked for in all of the texts. */
const MOST_OPTIONS = 3;
/** What is read of a text, in characters: some are very long. */
const READ_OF_BODY = 50_000;

/**
 * Whether one of the articles writes all options of a command, such as "-race", to the letter: behind a word of the line,
 * a quote or a bracket, as at the beginning of a line a dash may be one of a list.
 */
export async function areWritten(db: Db, ids: number[], options: readonly string[]): Promise<boolean> {
  const distinct = [...new Set(options)];
  if (distinct.length > MOST_OPTIONS) return false;
  const patterns = distinct.map((option) => {
    const letters = option
      .toWellFormed()
      .replaceAll("\0", "")
      .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, String.raw`\$&`);
    return String.raw`(?:\S[ \t]+|[\`"'(\[])${letters}(?!\w)`;
  });
  const { rows } = await sql<{ areWritten: boolean }>`
    select exists (
      select from articles
      where id = any(${ids}::int[]) and (
        select bool_and(title || ' ' || left(body_markdown, ${READ_OF_BODY}) ~* pattern) from unnest(${patterns}::text[]) as pattern
      )
    ) as "areWritten"`.execute(db);
  return rows[0]?.areWritten === true;
}

/** What articles are about stands at their beginning. */
const READ_FOR_SPELLING = 2_000;
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;

/** The query as a person would have typed it: words are read as others, which are written as most often in the articles. */
export async function asWritten(
  db: Db,
  q: string,
  { ids, instead }: { ids: number[]; instead: ReadonlyMap<string, Meant> },
): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', title, description, left(body_markdown, ${READ_FOR_SPELLING})) as text
    from articles where id = any(${ids}::int[])`.execute(db);
  const wanted = new Set([...instead.values()].flatMap(({ words }) => words));
  const counts = new Map<string, Map<string, number>>();
  const mayHave = (sentence: string) => {
    const folded = fold(sentence);
    return [...wanted].some((word) => folded.includes(word));
  };
  // Most sentences have none of the words, which is cheaper to see than to fold each word.
  for (const sentence of rows.flatMap(({ text }) => text.split(/[.\n]/)).filter(mayHave)) {
    for (const [word] of sentence.matchAll(WORDS)) {
      const folded = fold(word);
      if (!wanted.has(folded)) continue;
      const spellings = counts.get(folded) ?? new Map<string, number>();
      counts.set(folded, spellings.set(word, (spellings.get(word) ?? 0) + 1));
    }
  }
  const written = (word: string) =>
    [...(counts.get(word) ?? [])].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  return q.replaceAll(WORDS, (word) => {
    const [nearest, ...others] = instead.get(fold(word))?.words ?? [];
    if (nearest === undefined) return word;
    return [nearest, ...others].map(written).find((each) => each !== undefined) ?? nearest;
  });
}
