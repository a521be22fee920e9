import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { IndexedRow } from "./article-index.ts";
import { type Place, WEIGHING_TIER } from "./popularity.ts";

/** A row as PostgreSQL gives it. */
export interface Row extends Omit<IndexedRow, "words"> {
  words: string;
}

/** The columns of a row: `found` is in article_search, `listed` in published_articles. */
export const COLUMNS = sql`
  listed.article_id, listed.reactions, extract(epoch from listed.published_at)::float8 * 1000 as published_at,
  listed.version::float8 as version, found.title_key, encode(tsvectorsend(found.words), 'base64') as words`;

export const toIndexed = ({ words, ...row }: Row): IndexedRow => ({
  ...row,
  words: Buffer.from(words, "base64"),
});

interface PageValues {
  reactions: number | null;
  published_at: number | null;
  article_id: number | null;
  limit: number;
}

const popularStatement = prepare<PageValues, Row>(
  (value) => sql`
  select ${COLUMNS}
  from (
    select article_id, reactions, published_at, version from published_articles
    where ${value("article_id")}::int is null or (reactions, published_at, article_id)
      < (${value("reactions")}::int, to_timestamp(${value("published_at")}::float8 / 1000), ${value("article_id")}::int)
    order by reactions desc, published_at desc, article_id desc limit ${value("limit")}::int
  ) as listed
  cross join lateral (
    select title_key, words from article_search where article_search.article_id = listed.article_id limit 1
  ) as found`,
);

/** The rows behind a place, the most popular first. */
export async function popularRows(db: Db, after: Place | undefined, limit: number): Promise<IndexedRow[]> {
  const { reactions, published_at, article_id } = after ?? {
    reactions: null,
    published_at: null,
    article_id: null,
  };
  const rows = await popularStatement(db, { reactions, published_at, article_id, limit });
  return rows.map(toIndexed);
}

/** Changes between two snapshots. */
export interface Changes {
  /** Where the next reading begins. */
  snapshot: string;
  articles: Change[];
}

type Text = Pick<IndexedRow, "words" | "title_key">;

export interface Change {
  article_id: number;
  /** Undefined where the article is no longer published. */
  now:
    | (Omit<IndexedRow, "words" | "title_key"> & { text: Text | undefined; hasNewText: boolean })
    | undefined;
}

interface ChangeRow {
  snapshot: string;
  changed: number | null;
  article_id: number | null;
  reactions: number;
  published_at: number;
  version: number;
  has_text: boolean;
  title_key: string | null;
  words: string | null;
}

const changesStatement = prepare<ChangesPart, ChangeRow>(
  (value) => sql`
  select at.snapshot, changed.article_id as changed, listed.article_id, listed.reactions,
    extract(epoch from listed.published_at)::float8 * 1000 as published_at, listed.version::float8 as version,
    changed.has_text,
    case when changed.has_text or ${value("withTexts")}::boolean then found.title_key end as title_key,
    case when changed.has_text or ${value("withTexts")}::boolean
      then encode(tsvectorsend(found.words), 'base64') end as words
  from (select pg_current_snapshot()::text as snapshot) as at
  left join lateral (
    select article_id, bool_or(has_text) as has_text from search_changes
    where changed_in >= pg_snapshot_xmin(${value("since")}::pg_snapshot)
      and not pg_visible_in_snapshot(changed_in, ${value("since")}::pg_snapshot)
      and article_id > ${value("after")}::int
    group by article_id order by article_id limit ${value("limit")}::int
  ) as changed on true
  left join published_articles as listed on listed.article_id = changed.article_id
  left join article_search as found on found.article_id = changed.article_id`,
);

/** Articles behind a number that changed since a snapshot. */
export interface ChangesPart {
  since: string;
  after: number;
  limit: number;
  /** Whether all texts are read, not only those that changed. */
  withTexts: boolean;
}

/**
 * The articles that changed since a snapshot. A transaction that began before it and ends after it is among them later:
 * what one snapshot doesn't see, the next reading asks for.
 */
export async function changesSince(db: Db, part: ChangesPart): Promise<Changes> {
  const rows = await changesStatement(db, part);
  const articles = rows.flatMap(({ changed, article_id, has_text, title_key, words, ...row }): Change[] => {
    if (changed === null) return [];
    if (article_id === null) return [{ article_id: changed, now: undefined }];
    const text =
      title_key === null || words === null ? undefined : { title_key, words: Buffer.from(words, "base64") };
    return [{ article_id, now: { ...row, article_id, text, hasNewText: has_text } }];
  });
  return { snapshot: rows[0]?.snapshot ?? part.since, articles };
}

const endStatement = prepare<{ tier: number }, Place>(
  (value) => sql`
  select reactions, extract(epoch from published_at)::float8 * 1000 as published_at, article_id
  from search_tiers where tier = ${value("tier")}::int`,
);

/** The least popular article that weighs words; undefined if all do. */
export async function endOfWeighing(db: Db): Promise<Place | undefined> {
  const [end] = await endStatement(db, { tier: WEIGHING_TIER });
  return end;
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

/** The words of the vocabulary that changed since a snapshot, or all behind a word. */
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
