import type { Db } from "../db/connect.ts";
import { takeTurn } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import * as queries from "./folding-queries.ts";

/** Few enough that a batch is done in a moment and a stopping program waits for no more. */
const CHANGES = 2_000;

/** The same; each may concern thousands of rows. */
const MOVES = 100;

/**
 * Adds what has been noted of the figures to the sums, batch by batch, and returns how many notes it took.
 * Only one process does so at a time; another leaves the work to it. What is noted meanwhile waits for the
 * next call, so that this one ends however much is written. Within a transaction it waits for its turn, and
 * it is done when that ends.
 */
export async function foldChanges(db: Db, signal?: AbortSignal): Promise<number> {
  const last = await queries.lastNotes(db);
  // Searching from the start again would read through all that are gone.
  let after: queries.Place = { move: "0", change: "0" };
  let total = 0;
  // An idle site is spared a transaction.
  while (after.move !== last.move || after.change !== last.change) {
    if (signal?.aborted) return total;
    const batch = await inTransaction(db, (tx) => foldBatch(tx, { after, last, waits: db.isTransaction }));
    if (batch === undefined || batch.taken === 0) return total;
    total += batch.taken;
    ({ after } = batch);
  }
  return total;
}

interface Notes {
  after: queries.Place;
  last: queries.Place;
  waits: boolean;
}

interface Batch {
  taken: number;
  /** Its last notes. */
  after: queries.Place;
}

/** Adds a part of the notes to the sums, or gives nothing when another process is at it. */
async function foldBatch(tx: Db, { after, last, waits }: Notes): Promise<Batch | undefined> {
  if (!(await takeTurn(tx, "analyticsFolding", waits))) return undefined;
  // First: changes go to those who own an article by then.
  const move = await foldMoves(tx, { after: after.move, last: last.move });
  const change = await foldFigures(tx, { after: after.change, last: last.change });
  return { taken: move.taken + change.taken, after: { move: move.after, change: change.after } };
}

interface Taken {
  taken: number;
  after: string;
}

async function foldMoves(tx: Db, span: queries.Span): Promise<Taken> {
  const moves = await queries.findMoves(tx, span, MOVES);
  const articleIds = moves.map(({ article_id }) => article_id);
  const ids = moves.map(({ id }) => id);
  await queries.removeMoves(tx, ids);
  await moveFigures(tx, await queries.findMoved(tx, articleIds));
  return { taken: ids.length, after: ids.at(-1) ?? span.last };
}

async function foldFigures(tx: Db, span: queries.Span): Promise<Taken> {
  const changes = await queries.findChanges(tx, span, CHANGES);
  await queries.foldDays(tx, changes);
  await queries.foldReferrers(tx, changes);
  await queries.removeChanges(tx, changes);
  return { taken: changes.length, after: changes.at(-1) ?? span.last };
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
