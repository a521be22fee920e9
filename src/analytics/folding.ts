import type { Db } from "../db/connect.ts";
import { takeTurn } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import * as queries from "./folding-queries.ts";

/** A batch takes about half a second: a stopping program waits for it. */
const CHANGES = 2_000;

/** Each may concern thousands of rows. */
const MOVES = 20;

/**
 * Adds the present changes to the sums, batch by batch, and returns their number. One process at a time does so;
 * another returns at once, or waits within a transaction.
 */
export async function foldChanges(db: Db, signal?: AbortSignal): Promise<number> {
  const last = await queries.lastNotes(db);
  // Within a transaction, removed rows would be read again.
  let after: queries.Place = { move: "0", change: "0" };
  let total = 0;
  // An idle site is spared a transaction.
  while (after.move !== last.move || after.change !== last.change) {
    if (signal?.aborted) return total;
    const batch = await inTransaction(db, async (tx) => {
      if (!(await takeTurn(tx, "analyticsFolding", db.isTransaction))) return undefined;
      // First: changes go to the owners of the moved articles.
      const move = await foldMoves(tx, { after: after.move, last: last.move });
      const change = await foldFigures(tx, { after: after.change, last: last.change });
      return { taken: move.taken + change.taken, after: { move: move.after, change: change.after } };
    });
    if (batch === undefined || batch.taken === 0) return total;
    total += batch.taken;
    ({ after } = batch);
  }
  return total;
}

interface Taken {
  taken: number;
  after: string;
}

async function foldMoves(tx: Db, span: queries.Span): Promise<Taken> {
  const moves = await queries.takeMoves(tx, span, MOVES);
  const articleIds = moves.map(({ article_id }) => article_id);
  const moved = moves.length > 0 ? await queries.findMoved(tx, articleIds) : [];
  if (moved.length > 0) {
    await queries.setOwners(tx, moved);
    await queries.addMoved(tx, moved);
  }
  return { taken: moves.length, after: moves.at(-1)?.id ?? span.last };
}

async function foldFigures(tx: Db, span: queries.Span): Promise<Taken> {
  const changes = await queries.findChanges(tx, span, CHANGES);
  if (changes.length > 0) {
    await queries.addChanges(tx, changes);
    await queries.removeChanges(tx, changes);
  }
  return { taken: changes.length, after: changes.at(-1) ?? span.last };
}
