import { randomUUID } from "node:crypto";
import type { Db } from "../db/connect.ts";
import * as queries from "./attempt-queries.ts";

/** For so long a delivery is its claimer's alone: longer than an attempt takes, so that only who died is overtaken. */
const LEASE_MS = 30_000;

/** How many more attempts a process has room for. */
export interface Room {
  all: number;
  /** Of these, for endpoints that have failed lately and may well do so again. */
  failing: number;
}

/**
 * Takes deliveries that are due, of each endpoint one and what has waited longest first. Those that a process
 * took along into its end are due again when its lease is over.
 */
export async function claim(db: Db, room: Room, now: Date): Promise<queries.Claimed[]> {
  const found = await queries.findReady(db, room, now);
  if (found.length === 0) return [];
  // Two statements, so that the second sees what others claimed before the first held the endpoints. Not by
  // inTransaction: nobody reads leases.
  return db.transaction().execute(async (tx) => {
    const ids = await queries.holdFree(tx, found);
    return ids.length > 0 ? queries.lease(tx, ids, leaseFrom(now)) : [];
  });
}

/** Takes what is due next of an endpoint that the transaction holds. */
export async function claimNext(tx: Db, endpointId: number, now: Date): Promise<queries.Claimed | undefined> {
  const [next] = await queries.lease(tx, [endpointId], leaseFrom(now));
  return next;
}

function leaseFrom(now: Date): queries.Lease {
  return { token: randomUUID(), now, until: new Date(now.getTime() + LEASE_MS) };
}
