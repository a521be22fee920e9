import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as queries from "./folding-queries.ts";

/** Few enough that a batch is done in a moment and a stopping program waits for no more. */
const CHANGES = 5_000;

/** The same; each may have thousands of days and hosts to be moved. */
const MOVES = 100;

/** Any number that nothing else in this database uses as an advisory lock. */
const LOCK = 7_301_948;

/** The last notes that were taken: searching from the start again would read through all that are gone. */
interface Place {
  move: string;
  change: string;
}

/**
 * Adds what has been noted of the figures to the sums, batch by batch, and returns how many notes it took.
 * Only one process does so at a time; another leaves the work to it. What is noted meanwhile may wait for the
 * next call, so that this one ends however much is written. Within a transaction it waits for its turn, and it
 * is done when that ends.
 */
export async function foldChanges(db: Db, signal?: AbortSignal): Promise<number> {
  // Looking first spares an idle site a transaction.
  if (!(await queries.hasNotes(db))) return 0;
  let place: Place = { move: "0", change: "0" };
  for (let total = 0; ;) {
    if (signal?.aborted) return total;
    const batch = await inTransaction(db, (tx) => foldBatch(tx, place, { waits: db.isTransaction }));
    if (batch === undefined) return total;
    total += batch.taken;
    if (batch.isLast) return total;
    ({ place } = batch);
  }
}

interface Batch {
  taken: number;
  place: Place;
  /** Whether it took all there was. */
  isLast: boolean;
}

/** Adds a part of the notes to the sums, or gives nothing when another process is at it. */
async function foldBatch(tx: Db, place: Place, { waits }: { waits: boolean }): Promise<Batch | undefined> {
  if (!(await takeTurn(tx, waits))) return undefined;
  // First: changes go to those who own an article by then.
  const moves = await queries.findMoves(tx, place.move, MOVES);
  await queries.removeMoves(
    tx,
    moves.map(({ id }) => id),
  );
  await moveFigures(
    tx,
    await queries.findMoved(
      tx,
      moves.map(({ article_id }) => article_id),
    ),
  );
  const changes = await queries.findChanges(tx, place.change, CHANGES);
  await queries.foldDays(tx, changes);
  await queries.foldReferrers(tx, changes);
  await queries.removeChanges(tx, changes);
  return {
    taken: moves.length + changes.length,
    place: { move: moves.at(-1)?.id ?? place.move, change: changes.at(-1) ?? place.change },
    isLast: moves.length < MOVES && changes.length < CHANGES,
  };
}

/** By itself: the next statement must see what the holder before has committed. */
async function takeTurn(tx: Db, waits: boolean): Promise<boolean> {
  if (waits) {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    return true;
  }
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

/** Takes the figures of articles from those who owned them, and gives them to those who do. */
async function moveFigures(tx: Db, moved: queries.Moved[]): Promise<void> {
  if (moved.length === 0) return;
  await queries.setOwners(tx, moved);
  const transfers = moved.flatMap((move) => [
    ...transfersOf(move, { kind: "user", from: move.old_author, to: move.new_author }),
    ...transfersOf(move, { kind: "organization", from: move.old_organization, to: move.new_organization }),
  ]);
  await queries.moveDays(tx, transfers);
  await queries.moveReferrers(tx, transfers);
}

interface Change {
  kind: queries.Transfer["kind"];
  from: number | null;
  to: number | null;
}

function transfersOf({ article_id }: queries.Moved, { kind, from, to }: Change): queries.Transfer[] {
  if (from === to) return [];
  const transfer = (id: number | null, sign: 1 | -1) =>
    id === null ? [] : [{ article_id, kind, id, sign } as const];
  return [...transfer(from, -1), ...transfer(to, 1)];
}
