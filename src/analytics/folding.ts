import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as queries from "./folding-queries.ts";

/** Few enough that a batch is done in a moment and a stopping program waits for no more. */
const BATCH = 5_000;

/** Any number that nothing else in this database uses as an advisory lock. */
const LOCK = 7_301_948;

/**
 * Adds what has been noted of the figures to the sums, batch by batch, and returns how many notes it took.
 * Only one process does so at a time; another leaves the work to it. Within a transaction it is done when
 * that ends.
 */
export async function foldChanges(db: Db, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ;) {
    // Looking first spares an idle site a transaction.
    if (signal?.aborted || !(await queries.hasNotes(db))) return total;
    const folded = await inTransaction(db, foldBatch);
    if (folded === undefined) return total;
    total += folded;
  }
}

/** Returns how many notes it took, or undefined when another process is at it. */
async function foldBatch(tx: Db): Promise<number | undefined> {
  // By itself: the next statement must see what the holder before has committed.
  const { rows: locks } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(tx);
  if (!locks[0]?.locked) return undefined;
  // First: changes go to those who own an article by then.
  const moves = await queries.takeMoves(tx, BATCH);
  await moveFigures(tx, await queries.findMoved(tx, moves));
  const changes = await queries.findChanges(tx, BATCH);
  await queries.foldDays(tx, changes);
  await queries.foldReferrers(tx, changes);
  await queries.removeChanges(tx, changes);
  return moves.length + changes.length;
}

/** Takes the figures of articles from those who owned them, and gives them to those who do. */
async function moveFigures(tx: Db, moved: queries.Moved[]): Promise<void> {
  if (moved.length === 0) return;
  await queries.setOwners(tx, moved);
  const transfers = moved.flatMap((move) => [
    ...transfer(move, { kind: "user", id: move.old_author }, -1),
    ...transfer(move, { kind: "organization", id: move.old_organization }, -1),
    ...transfer(move, { kind: "user", id: move.new_author }, 1),
    ...transfer(move, { kind: "organization", id: move.new_organization }, 1),
  ]);
  await queries.moveDays(tx, transfers);
  await queries.moveReferrers(tx, transfers);
}

function transfer(
  { article_id }: queries.Moved,
  { kind, id }: { kind: "user" | "organization"; id: number | null },
  sign: 1 | -1,
): queries.Transfer[] {
  return id === null ? [] : [{ article_id, kind, id, sign }];
}
