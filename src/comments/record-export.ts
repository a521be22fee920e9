import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { toIso } from "../records/iso.ts";
import { idCode } from "./id-codes.ts";
import type { CommentRecord } from "./record-schema.ts";
import { childrenOf, everythingBelow, type Placed } from "./tree.ts";

/** Threads whose shape is looked at together, and comments whose texts are. */
const THREADS = 200;
const COMMENTS = 200;

/** All comments thread by thread, each behind the one that it answers; those of deleted articles are left out. */
export async function* exportRecords(db: Db): AsyncGenerator<CommentRecord> {
  for (let last = 0; ;) {
    const roots = await rootsAfter(db, last);
    const ids = inOrder(roots, await membersOf(db, roots));
    for (let from = 0; from < ids.length; from += COMMENTS) {
      yield* await recordsOf(db, ids.slice(from, from + COMMENTS));
    }
    const end = roots.at(-1);
    if (!end) return;
    last = end.id;
  }
}

/** The answers of some are older than what they answer: imported comments keep their numbers. */
function inOrder(roots: Placed[], members: Placed[]): number[] {
  const children = childrenOf(members);
  return roots.flatMap((root) => [root.id, ...everythingBelow(root, children).map(({ id }) => id)]);
}

function rootsAfter(db: Db, id: number): Promise<Placed[]> {
  return db
    .selectFrom("comments")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .select(["comments.id", "comments.parent_id"])
    .where("comments.parent_id", "is", null)
    .where(sql<boolean>`articles.state is distinct from 'deleted'`)
    .where("comments.id", ">", id)
    .orderBy("comments.id")
    .limit(THREADS)
    .execute();
}

function membersOf(db: Db, roots: Placed[]): Promise<Placed[]> {
  return db
    .selectFrom("comments")
    .select(["id", "parent_id"])
    .where("root_id", "=", anyInt(roots.map(({ id }) => id)))
    .orderBy("id")
    .execute();
}

async function recordsOf(db: Db, ids: number[]): Promise<CommentRecord[]> {
  const episode: RawBuilder<string | null> = sql`podcasts.slug || '/' || podcast_episodes.slug`;
  const rows = await db
    .selectFrom("comments")
    .innerJoin("users", "users.id", "comments.author_id")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .leftJoin("podcast_episodes", "podcast_episodes.id", "comments.episode_id")
    .leftJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .selectAll("comments")
    .select(["users.username as author", "articles.slug as article", episode.as("episode")])
    .where("comments.id", "=", anyInt(ids))
    .orderBy(sql`array_position(${ids}::int[], comments.id)`)
    .execute();
  return rows.map((row) => ({
    id_code: idCode(row.id),
    author: row.author,
    ...(row.article !== null && { article: row.article }),
    ...(row.episode !== null && { episode: row.episode }),
    body_markdown: row.body_markdown,
    ...(row.parent_id !== null && { parent: idCode(row.parent_id) }),
    created_at: toIso(row.created_at),
    ...(row.edited_at !== null && { edited_at: toIso(row.edited_at) }),
    deleted: row.deleted,
    hidden: row.hidden,
    ...(row.points !== 1 && { score: row.points }),
  }));
}
