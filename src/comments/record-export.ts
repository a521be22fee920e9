import type { Db } from "../db/connect.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import { idCode } from "./id-codes.ts";
import * as queries from "./record-queries.ts";
import type { CommentRecord } from "./record-schema.ts";
import { childrenOf, everythingBelow, type Placed } from "./tree.ts";

/** Threads whose shape is looked at together, and comments whose texts are. */
const THREADS = 200;
const COMMENTS = 200;

/** All comments thread by thread, each behind the one that it answers; those of deleted articles are left out. */
export async function* exportRecords(db: Db): AsyncGenerator<CommentRecord> {
  for await (const roots of inPages((after) => queries.listRootsAfter(db, after, THREADS))) {
    const answers = await queries.listBelow(
      db,
      roots.map(({ id }) => id),
    );
    const ids = inOrder(roots, answers);
    for (let from = 0; from < ids.length; from += COMMENTS) {
      yield* await recordsOf(db, ids.slice(from, from + COMMENTS));
    }
  }
}

/** The answers of some are older than what they answer: imported comments keep their numbers. */
function inOrder(roots: Placed[], answers: Placed[]): number[] {
  const children = childrenOf(answers);
  return roots.flatMap((root) => [root.id, ...everythingBelow(root, children).map(({ id }) => id)]);
}

async function recordsOf(db: Db, ids: number[]): Promise<CommentRecord[]> {
  const rows = await queries.listNamed(db, ids);
  return rows.map((row) => ({
    id_code: idCode(row.id),
    ...(row.author !== null && { author: row.author }),
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
