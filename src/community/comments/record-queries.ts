import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { valuesOf } from "../../platform/db/rows.ts";
import type { Comments } from "../../platform/db/tables.ts";
import { anyInt } from "../../platform/db/values.ts";
import { reserveIds } from "../records/identity.ts";
import type { Placed } from "./tree.ts";

export type Existing = Selectable<Comments>;

export function findByIds(db: Db, ids: readonly number[]): Promise<Existing[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom("comments").selectAll().where("id", "=", anyInt(ids)).execute();
}

/** Identifies a comment without a code. */
export interface Likeness extends Pick<
  Existing,
  "author_id" | "article_id" | "episode_id" | "parent_id" | "body_markdown"
> {
  /** Null when the record has no date. */
  created_at: Date | null;
}

/** The oldest comment that is like each of these, by its index. */
export async function findAlike(
  db: Db,
  wanted: readonly (Likeness & { index: number })[],
): Promise<Map<number, Existing>> {
  const ids = (column: "article_id" | "episode_id") => anyInt(valuesOf(wanted, column));
  const { rows } = await sql<Existing & { index: number }>`
    select distinct on (wanted.index) wanted.index, comments.*
    from json_to_recordset(${JSON.stringify(wanted)}) as wanted (index int, author_id int, article_id int,
      episode_id int, parent_id int, created_at timestamptz, body_markdown text)
    join comments on comments.body_markdown = wanted.body_markdown
      and comments.created_at = coalesce(wanted.created_at, comments.created_at)
      and comments.author_id is not distinct from wanted.author_id
      and comments.article_id is not distinct from wanted.article_id
      and comments.episode_id is not distinct from wanted.episode_id
      and comments.parent_id is not distinct from wanted.parent_id
    where comments.article_id = ${ids("article_id")} or comments.episode_id = ${ids("episode_id")}
    order by wanted.index, comments.id`.execute(db);
  return new Map(rows.map(({ index, ...row }) => [index, row]));
}

/** Keeps the ids of records where they are free. */
export async function giveIds(tx: Db, wanted: readonly (number | undefined)[]): Promise<number[]> {
  const given = await reserveIds(tx, "comments", wanted);
  const missing = given.filter((id) => id === undefined).length;
  const others = await nextIds(tx, missing);
  return given.map((id) => id ?? others.shift() ?? 0);
}

export async function nextIds(tx: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('comments', 'id'))::int as id from generate_series(1, ${count}::int)`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
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

/** Lists the comments in the order of these ids. */
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
