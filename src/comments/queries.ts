import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { ShownRow } from "./view.ts";

/** What comments stand under. */
export type Target = { article_id: number } | { episode_id: number };

/** Which threads of all are wanted. */
interface Part {
  limit: number;
  offset: number;
}

/** So many comments are in one answer at most, lest what one article gathers stops everybody. */
export const MAX_COMMENTS = 25_000;

/** Comments by number, or undefined when what they stand under isn't there or isn't public. */
export interface Threads {
  /** The oldest of them. */
  rows: ShownRow[];
  /** Whether there are threads behind the part that was asked for. */
  hasMore: boolean;
}

const SHOWN = sql`comments.id, comments.parent_id, comments.created_at, comments.deleted, comments.hidden,
  case when comments.deleted or comments.hidden then '' else comments.body_html end as body_html,
  users.id as author_id, users.name, users.username, users.microblog_username, users.codehost_username,
  users.website_url, users.profile_image`;

/** All comments under something public, or those of some of its threads, in one statement. */
export async function findThreads(
  db: Db,
  target: Target,
  part: Part | undefined,
): Promise<Threads | undefined> {
  const [column, id, shown] = placeOf(target);
  const roots = sql`select id from comments where ${column} = ${id} and parent_id is null order by id`;
  const isWanted = part
    ? sql`and comments.root_id in (${roots} limit ${part.limit} offset ${part.offset})`
    : sql``;
  const hasMore = part
    ? sql<boolean>`exists (${roots} limit 1 offset ${part.offset + part.limit})`
    : sql<boolean>`false`;
  const { rows } = await sql<(ShownRow | { id: null }) & { has_more: boolean }>`
    select ${SHOWN}, ${hasMore} as has_more
    from (${shown}) as target
    left join comments on comments.${column} = ${id} ${isWanted}
    left join users on users.id = comments.author_id
    order by comments.id
    limit ${MAX_COMMENTS}`.execute(db);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { rows: first.id === null ? [] : (rows as ShownRow[]), hasMore: first.has_more };
}

/** The column that refers to it, its number, and a query that finds it if it is public. */
function placeOf(target: Target): [RawBuilder<unknown>, number, RawBuilder<unknown>] {
  if ("article_id" in target) {
    const id = target.article_id;
    return [sql`article_id`, id, sql`select id from articles where id = ${id} and state = 'published'`];
  }
  const id = target.episode_id;
  const available = sql`
    select podcast_episodes.id from podcast_episodes join podcasts on podcasts.id = podcast_id
    where podcast_episodes.id = ${id} and reachable and published`;
  return [sql`episode_id`, id, available];
}

/** A comment, and behind it the thread that it belongs to by number; empty when it isn't public. */
export async function findThreadOf(db: Db, id: number): Promise<ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    select ${SHOWN}
    from comments as asked
    join comments on comments.root_id = asked.root_id
    join users on users.id = comments.author_id
    left join articles on articles.id = asked.article_id
    left join podcast_episodes on podcast_episodes.id = asked.episode_id
    left join podcasts on podcasts.id = podcast_episodes.podcast_id
    where asked.id = ${id} and (articles.state = 'published' or (podcast_episodes.reachable and podcasts.published))
    order by comments.id <> asked.id, comments.id
    limit ${MAX_COMMENTS}`.execute(db);
  return rows;
}

/** Whether there are threads behind so many. */
export async function hasThreadsBehind(db: Db, target: Target, offset: number): Promise<boolean> {
  const [column, id] = placeOf(target);
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from comments where ${column} = ${id} and parent_id is null order by id limit 1 offset ${offset}
    ) as found`.execute(db);
  return rows[0]?.found ?? false;
}
