import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Comments } from "../db/tables.ts";
import { anyInt } from "../db/values.ts";
import { reserveIds } from "../records/identity.ts";
import type { Placed } from "./tree.ts";
import type { NewRow } from "./writing-queries.ts";

export type Existing = Selectable<Comments>;

/** The columns that a record decides. */
export type Columns = Pick<
  Existing,
  | "body_html"
  | "body_markdown"
  | "created_at"
  | "deleted"
  | "edited_at"
  | "hidden"
  | "points"
  | "renderer_version"
>;

export function findByIds(db: Db, ids: readonly number[]): Promise<Existing[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom("comments").selectAll().where("id", "=", anyInt(ids)).execute();
}

/** Identifies a comment without a code, together with its parent. */
export interface Likeness {
  author_id: number | null;
  article_id: number | null;
  episode_id: number | null;
  /** Null when the record has no date. */
  created_at: Date | null;
  body_markdown: string;
}

export async function findAlike(db: Db, wanted: readonly Likeness[]): Promise<Existing[]> {
  const authored = wanted.filter(({ author_id }) => author_id !== null);
  const dated = authored.filter(({ created_at }) => created_at !== null);
  const undated = authored.filter(({ created_at }) => created_at === null);
  const nameless = wanted.filter(({ author_id }) => author_id === null);
  const isTheirs = sql`comments.author_id = wanted.author`;
  // One condition for all would read everything by these authors.
  const rows = [
    ...(await findLike(db, dated, sql`${isTheirs} and comments.created_at = wanted.at`)),
    ...(await findLike(db, undated, isTheirs)),
    ...(await findLike(db, nameless, sql`comments.author_id is null and comments.created_at = wanted.at`)),
  ];
  return rows.toSorted((one, other) => one.id - other.id);
}

async function findLike(
  db: Db,
  wanted: readonly Likeness[],
  isOne: RawBuilder<unknown>,
): Promise<Existing[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<Existing>`
    select distinct on (comments.id) comments.*
    from unnest(${wanted.map((one) => one.author_id)}::int[], ${wanted.map((one) => one.article_id)}::int[],
      ${wanted.map((one) => one.episode_id)}::int[], ${wanted.map((one) => one.created_at)}::timestamptz[],
      ${wanted.map((one) => one.body_markdown)}::text[]) as wanted (author, article, episode, at, body)
    join comments on ${isOne}
      and comments.article_id is not distinct from wanted.article
      and comments.episode_id is not distinct from wanted.episode and comments.body_markdown = wanted.body
    order by comments.id`.execute(db);
  return rows;
}

/** Keeps the ids of records where they are free. */
export async function giveIds(tx: Db, wanted: readonly (number | undefined)[]): Promise<number[]> {
  const given = await reserveIds(tx, "comments", wanted);
  const missing = given.filter((id) => id === undefined).length;
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('comments', 'id'))::int as id
    from generate_series(1, ${missing}::int)`.execute(tx);
  const others = rows.map(({ id }) => id);
  return given.map((id) => id ?? others.shift() ?? 0);
}

/** Parents come first. */
export async function insert(tx: Db, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("comments")
    .values(rows.map((row) => ({ ...row, root_id: 0 })))
    .execute();
}

/** Thread roots after an id, without those of deleted articles. */
export function listRootsAfter(db: Db, id: number, limit: number): Promise<Placed[]> {
  return db
    .selectFrom("comments")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .select(["comments.id", "comments.parent_id"])
    .where("comments.parent_id", "is", null)
    .where(sql<boolean>`articles.state is distinct from 'deleted'`)
    .where("comments.id", ">", id)
    .orderBy("comments.id")
    .limit(limit)
    .execute();
}

export async function listBelow(db: Db, ids: readonly number[]): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    with recursive below as (
      select id, null::int as parent_id from unnest(${ids}::int[]) as id
      union all
      select answers.* from below cross join lateral (
        -- A range, so that the planner looks for the few of each in their index and never reads all.
        select id, parent_id from comments where parent_id between below.id and below.id offset 0
      ) as answers
    )
    select * from below where parent_id is not null order by id`.execute(db);
  return rows;
}

/** In the order of these ids. */
export function listNamed(db: Db, ids: readonly number[]) {
  const episode: RawBuilder<string | null> = sql`podcasts.slug || '/' || podcast_episodes.slug`;
  return db
    .selectFrom("comments")
    .leftJoin("users", "users.id", "comments.author_id")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .leftJoin("podcast_episodes", "podcast_episodes.id", "comments.episode_id")
    .leftJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .selectAll("comments")
    .select(["users.username as author", "articles.slug as article", episode.as("episode")])
    .where("comments.id", "=", anyInt(ids))
    .orderBy(sql`array_position(${ids}::int[], comments.id)`)
    .execute();
}
