import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { allWords, anyInt, type Slice } from "../../platform/db/values.ts";
import { AUTHOR_COLUMNS } from "../users/columns.ts";
import type { ShownRow } from "./view.ts";

export type Target = { article_id: number } | { episode_id: number };

interface Bounds {
  maxComments?: number | undefined;
  /** Comments that are left out at the beginning. */
  skip?: number | undefined;
  /** Characters. */
  maxHtml?: number | undefined;
}

/** The most comments of an answer. */
export const MAX_COMMENTS = 25_000;

const MAX_ID = 2_147_483_647;

export type ThreadRow = ShownRow & { root_id: number };

const AUTHOR_SHOWN = sql.join(
  AUTHOR_COLUMNS.filter((column) => column !== "id").map((column) => sql.ref(`users.${column}`)),
);
const HTML = sql.ref("comments.body_html");

/**
 * Reads at most `maxHtml` characters of a comment's HTML, so that a tag may be cut. The comment with the id `whole`
 * isn't cut.
 */
function shownWithin(maxHtml: number | undefined, whole = 0): RawBuilder<unknown> {
  if (maxHtml === undefined) return columns({ html: HTML, isCut: sql`false` });
  const most = sql.lit(maxHtml);
  // The number of bytes is known without reading them, and of a long text PostgreSQL reads only the beginning.
  const isLong = sql`(octet_length(${HTML}) > ${most}
    and char_length(left(${HTML}, ${sql.lit(maxHtml + 1)})) > ${most} and comments.id <> ${whole})`;
  return columns({
    html: sql`case when ${isLong} then left(${HTML}, ${most}) else ${HTML} end`,
    isCut: isLong,
  });
}

function columns({ html, isCut }: Record<"html" | "isCut", RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql`comments.id, comments.parent_id, comments.created_at, comments.deleted, comments.hidden, comments.hidden_reason,
    comments.reactions_count, case when comments.deleted or comments.hidden then '' else ${html} end as body_html,
    ${isCut} as is_cut, comments.author_id, ${AUTHOR_SHOWN}`;
}

const SHOWN = shownWithin(undefined);

/** A lateral join reads only these authors, never the whole table. */
const AUTHORS = sql`left join lateral (select * from users where id = comments.author_id limit 1) as users on true`;

/**
 * Threads, the oldest first, and the id of the last one; undefined when the target isn't public. The rows are at most
 * one more than an answer holds.
 */
export async function findThreads(
  db: Db,
  target: Target,
  slice: Slice | undefined,
  { maxComments = MAX_COMMENTS, skip = 0, maxHtml }: Bounds = {},
) {
  const { under, shown } = placeOf(target);
  const isWanted = slice ? sql`and ${between(rootsOf(target), slice)}` : sql``;
  const { rows } = await sql<(ThreadRow | { id: null }) & { last_root: number | null }>`
    select ${shownWithin(maxHtml)}, comments.root_id, (
      select root_id from comments where ${under} and parent_id is null order by root_id desc limit 1
    ) as last_root
    from (${shown}) as target
    left join (
      select * from comments where ${under} ${isWanted}
      order by root_id, parent_id is not null, id
      limit ${maxComments + 1} offset ${skip}
    ) as comments on true
    ${AUTHORS}
    order by comments.root_id, comments.parent_id is not null, comments.id`.execute(db);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { rows: first.id === null ? [] : (rows as ThreadRow[]), lastRoot: first.last_root ?? 0 };
}

function between(roots: RawBuilder<unknown>, { limit, offset }: Slice): RawBuilder<unknown> {
  return sql`root_id >= (${roots} limit 1 offset ${offset})
    and root_id <= coalesce((${roots} limit 1 offset ${offset + limit}) - 1, ${MAX_ID})`;
}

function rootsOf(target: Target): RawBuilder<unknown> {
  return sql`select root_id from comments where ${placeOf(target).under} and parent_id is null order by root_id`;
}

function placeOf(target: Target): { under: RawBuilder<unknown>; shown: RawBuilder<unknown> } {
  if ("article_id" in target) {
    const id = target.article_id;
    const shown = sql`select id from articles where id = ${id} and state = 'published'`;
    return { under: sql`article_id = ${id}`, shown };
  }
  const id = target.episode_id;
  const shown = sql`
    select podcast_episodes.id from podcast_episodes join podcasts on podcasts.id = podcast_id
    where podcast_episodes.id = ${id} and reachable and published`;
  return { under: sql`episode_id = ${id}`, shown };
}

const STORED = [
  "id",
  "parent_id",
  "created_at",
  "deleted",
  "hidden",
  "hidden_reason",
  "body_html",
  "author_id",
  "reactions_count",
];

function stored(table: string): RawBuilder<unknown> {
  return sql.join(STORED.map((column) => sql.ref(`${table}.${column}`)));
}

/** The comment and what is below it, by id; within bounds, those below are one more. Empty when it isn't public. */
export async function findTree(
  db: Db,
  id: number,
  { maxComments = MAX_COMMENTS, skip = 0, maxHtml }: Bounds = {},
): Promise<ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    with recursive tree as (
      select ${stored("comments")}
      from comments
      left join articles on articles.id = comments.article_id
      left join podcast_episodes on podcast_episodes.id = comments.episode_id
      left join podcasts on podcasts.id = podcast_episodes.podcast_id
      where comments.id = ${id}
        and (articles.state = 'published' or (podcast_episodes.reachable and podcasts.published))
      union all
      select ${stored("answers")}
      from tree cross join lateral (
        -- A range, so that the planner looks for the few of each in their index and never reads all.
        select * from comments where parent_id between tree.id and tree.id
        order by parent_id, id limit ${MAX_COMMENTS}
      ) as answers
    )
    , bounded as materialized (select * from tree limit ${MAX_COMMENTS})
    select ${shownWithin(maxHtml, id)}
    from (
      select * from bounded where id = ${id}
      union all
      (select * from bounded where id <> ${id} order by id limit ${maxComments + 1} offset ${skip})
    ) as comments
    ${AUTHORS}
    order by comments.id`.execute(db);
  return rows;
}

export async function hasThreadsBehind(db: Db, target: Target, offset: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (${rootsOf(target)} limit 1 offset ${offset}) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Whether the article or episode of a comment has more than its page is sure to show. */
export async function isBeyond(db: Db, id: number, shown: number): Promise<boolean> {
  const { rows } = await sql<{ is_beyond: boolean }>`
    select (
      select count(*) from (
        (select from comments where article_id = asked.article_id limit ${shown + 1})
        union all (select from comments where episode_id = asked.episode_id limit ${shown + 1})
      ) as beside
    ) > ${shown} as is_beyond from comments as asked where id = ${id}`.execute(db);
  return rows[0]?.is_beyond ?? false;
}

interface PlaceRow {
  id: number;
  article_id: number | null;
  episode_id: number | null;
  /** May hide comments there. */
  owner_id: number | null;
  title: string;
  publisher: string;
  slug: string;
}

/** The article or episode of each public comment. */
export async function findPlaces(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<PlaceRow>`
    select comments.id, comments.article_id, comments.episode_id,
      coalesce(articles.author_id, podcasts.owner_id) as owner_id,
      coalesce(articles.title, episodes.title) as title,
      coalesce(organizations.username, users.username, podcasts.slug) as publisher,
      coalesce(articles.slug, episodes.slug) as slug
    from comments
    left join articles on articles.id = comments.article_id
    left join users on users.id = articles.author_id
    left join organizations on organizations.id = articles.organization_id
    left join podcast_episodes as episodes on episodes.id = comments.episode_id
    left join podcasts on podcasts.id = episodes.podcast_id
    where comments.id = ${anyInt(ids)}
      and (articles.state = 'published' or (episodes.reachable and podcasts.published))`.execute(db);
  return rows;
}

const PUBLIC = sql`not comments.deleted and not comments.hidden`;

/** A person's comments, the newest first. */
export async function findBy(db: Db, authorId: number, { limit, offset }: Slice): Promise<ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    select ${SHOWN} from (
      select * from comments where author_id = ${authorId} and ${PUBLIC}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as comments ${AUTHORS} order by comments.created_at desc, comments.id desc`.execute(db);
  return rows;
}

/** Bounds the sorting of a word that very many comments have. */
const MAX_FOUND = 2_000;

/** The newest comments with all these words. */
export async function findWithWords(db: Db, q: string, limit: number): Promise<ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    select ${SHOWN} from (
      select * from (
        select * from comments
        where to_tsvector('simple', body_markdown) @@ ${allWords(q)} and ${PUBLIC}
        limit ${MAX_FOUND}
      ) as found order by id desc limit ${limit}
    ) as comments ${AUTHORS} order by comments.id desc`.execute(db);
  return rows;
}
