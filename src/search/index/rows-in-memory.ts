import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import type { IndexedRow } from "./article-index.ts";
import type { Place } from "./popularity.ts";

/** A row as PostgreSQL gives it: without words where an article has no row of search. */
export interface Row extends Omit<IndexedRow, "words"> {
  words: string | null;
}

const textOf = (vector: RawBuilder<unknown>) => sql`encode(tsvectorsend(${vector}), 'base64')`;

/** The columns of a row: `found` is in search_rows, `listed` in published_articles. */
export const columns = (hasBody: RawBuilder<unknown>) => sql`
  listed.article_id, listed.reactions, extract(epoch from listed.published_at)::float8 * 1000 as published_at,
  listed.version::float8 as version, found.title_key, ${hasBody} as "hasBody",
  ${textOf(sql`case when ${hasBody} then found.words else found.head end`)} as words`;

export const toIndexed = ({ words, ...row }: Row): IndexedRow => ({
  ...row,
  words: Buffer.from(words ?? "AAAAAA==", "base64"),
});

interface PageValues {
  reactions: number | null;
  published_at: number | null;
  article_id: number | null;
  limit: number;
  hasBody: boolean;
}

const popularStatement = prepare<PageValues, Row>(
  (value) => sql`
  select ${columns(sql`${value("hasBody")}::boolean`)}
  from (
    select article_id, reactions, published_at, version from published_articles
    where ${value("article_id")}::int is null or (reactions, published_at, article_id)
      < (${value("reactions")}::int, to_timestamp(${value("published_at")}::float8 / 1000), ${value("article_id")}::int)
    order by reactions desc, published_at desc, article_id desc limit ${value("limit")}::int
  ) as listed
  -- Damage: an article without a row must not end the batch.
  left join search_rows as found using (article_id)`,
);

/** The rows behind a place, the most popular first, with their bodies or without. */
export function popularRows(
  db: Db,
  after: Place | undefined,
  { limit, hasBody }: Pick<PageValues, "limit" | "hasBody">,
): Promise<Row[]> {
  const { reactions, published_at, article_id } = after ?? {
    reactions: null,
    published_at: null,
    article_id: null,
  };
  return popularStatement(db, { reactions, published_at, article_id, limit, hasBody });
}

export interface Changes {
  snapshot: string;
  articles: Change[];
}

export interface Change {
  article_id: number;
  /** Undefined where the article is no longer published. */
  now: (Place & { version: number; text: IndexedRow | undefined }) | undefined;
}

interface ChangeRow extends Row {
  snapshot: string;
  changed: number | null;
  has_text: boolean;
}

/** Articles behind a number that changed since a snapshot. */
interface ChangesPart {
  since: string;
  after: number;
  limit: number;
  /** Whether all texts are read, not only those that changed. */
  withTexts: boolean;
  hasBody: boolean;
}

const changesStatement = prepare<ChangesPart, ChangeRow>((value) => {
  const wanted = sql`(changed.has_text or ${value("withTexts")}::boolean) and found.article_id is not null`;
  return sql`
  select at.snapshot, changed.article_id as changed, ${wanted} as has_text,
    ${columns(sql`${value("hasBody")}::boolean`)}
  from (select pg_current_snapshot()::text as snapshot) as at
  left join lateral (
    select article_id, bool_or(has_text) as has_text from search_changes
    where changed_in >= pg_snapshot_xmin(${value("since")}::pg_snapshot)
      and not pg_visible_in_snapshot(changed_in, ${value("since")}::pg_snapshot)
      and article_id > ${value("after")}::int
    group by article_id order by article_id limit ${value("limit")}::int
  ) as changed on true
  left join published_articles as listed on listed.article_id = changed.article_id
  left join search_rows as found on found.article_id = changed.article_id
    and (changed.has_text or ${value("withTexts")}::boolean)`;
});

/**
 * The articles that changed since a snapshot. A transaction that began before it and ends after it is among them later:
 * what one snapshot doesn't see, the next reading asks for.
 */
export async function changesSince(db: Db, part: ChangesPart): Promise<Changes> {
  const rows = await changesStatement(db, part);
  const articles = rows.flatMap(({ changed, has_text, ...row }): Change[] => {
    if (changed === null) return [];
    // A null, which the left join gives.
    if ((row.article_id as number | null) === null) return [{ article_id: changed, now: undefined }];
    return [{ article_id: changed, now: { ...row, text: has_text ? toIndexed(row) : undefined } }];
  });
  return { snapshot: rows[0]?.snapshot ?? part.since, articles };
}

/** When something was read. A database that was promoted or restored begins a timeline with transactions of its own. */
export interface ReadAt {
  snapshot: string;
  /** Null of a standby. */
  timeline: string | null;
}

export async function currentMoment(db: Db): Promise<ReadAt> {
  const { rows } = await sql<ReadAt>`
    select pg_current_snapshot()::text as snapshot, case when not pg_is_in_recovery()
      then substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as timeline`.execute(db);
  return rows[0] as ReadAt;
}

/** Stands among changed words where others were removed. No article has it. */
export const FORGOTTEN = "";

export async function wordsBehind(
  db: Db,
  after: string,
  limit: number,
): Promise<[word: string, articles: number][]> {
  const { rows } = await sql<{ word: string; articles_count: number }>`
    select word, articles_count from search_words where word > ${after} order by word limit ${limit}`.execute(
    db,
  );
  return rows.map(({ word, articles_count }) => [word, articles_count]);
}

const changedWords = prepare<{ since: string }, { word: string; articles_count: number }>(
  (value) => sql`
  select word, articles_count from search_words
  where changed_in >= pg_snapshot_xmin(${value("since")}::pg_snapshot)
    and not pg_visible_in_snapshot(changed_in, ${value("since")}::pg_snapshot)`,
);

export async function wordsSince(db: Db, since: string): Promise<[word: string, articles: number][]> {
  const rows = await changedWords(db, { since });
  return rows.map(({ word, articles_count }) => [word, articles_count]);
}
