import { randomUUID } from "node:crypto";
import type { Db } from "../db/connect.ts";
import * as queries from "./attempt-queries.ts";

/** How many more attempts a process has room for. */
export interface Room {
  all: number;
  /** Of these, for endpoints that have failed lately and may well do so again. */
  failing: number;
}

/**
 * Takes deliveries that are due, of each endpoint one. Those that a process took along into its end are due
 * again when its lease is over.
 */
export async function claim(db: Db, room: Room, now: Date): Promise<queries.Claimed[]> {
  if (room.all <= 0) return [];
  const found = await queries.findReady(db, now);
  if (found.length === 0) return [];
  const idsOf = (failing: boolean) =>
    found.filter(({ is_failing }) => is_failing === failing).map(({ id }) => id);
  // Two statements, so that the second sees what others claimed before the first held the endpoints. Not by
  // inTransaction: nobody reads leases.
  return db.transaction().execute(async (tx) => {
    const failing = await queries.holdFree(tx, idsOf(true), Math.max(0, Math.min(room.failing, room.all)));
    const working = await queries.holdFree(tx, idsOf(false), room.all - failing.length);
    const ids = [...failing, ...working];
    if (ids.length === 0) return [];
    const claimed = await queries.lease(tx, ids, { token: randomUUID(), now });
    if (failing.length > 0) await queries.noteTurn(tx, failing, now);
    return claimed;
  });
}

/** Takes what is due next of an endpoint that the transaction holds. */
export async function claimNext(tx: Db, endpointId: number, now: Date): Promise<queries.Claimed | undefined> {
  const [next] = await queries.lease(tx, [endpointId], { token: randomUUID(), now });
  return next;
}
