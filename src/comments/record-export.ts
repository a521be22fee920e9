import type { Db } from "../db/connect.ts";
import { inPages } from "../records/pages.ts";
import { idCode } from "./id-codes.ts";
import * as queries from "./record-queries.ts";
import { childrenOf, everythingBelow, type Placed } from "./tree.ts";

/** Threads whose shape is looked at together, and comments whose texts are. */
const THREADS = 200;
const COMMENTS = 200;

/** All comments thread by thread, each behind the one that it answers; those of deleted articles are left out. */
export async function* exportRecords(db: Db): AsyncGenerator<object> {
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

async function recordsOf(db: Db, ids: number[]): Promise<object[]> {
  const rows = await queries.listNamed(db, ids);
  return rows.map((row) => ({
    ...row,
    id_code: idCode(row.id),
    parent: row.parent_id === null ? null : idCode(row.parent_id),
    // The reactions are records of their own.
    score: row.points === 1 ? null : row.points,
  }));
}
