import { sql, type Updateable } from "kysely";
import type { Db } from "../db/connect.ts";
import { beginLease, IS_FREE, leasesOf } from "../db/lease.ts";
import type { Fetches } from "../db/tables.ts";
import { anyInt, isAny } from "../db/values.ts";

interface Holder {
  kind: string;
  id: number;
  lease: string;
}

export interface Claim extends Holder {
  etag: string | undefined;
  lastModified: string | undefined;
  signal: AbortSignal;
}

export interface Leased extends Holder {
  etag: string | null;
  last_modified: string | null;
  failures: number;
}

const leases = leasesOf("fetches", { key: ["kind", "id"], due: "due_at" });

export type Outcome = Updateable<Fetches>;

/** Schedules fetches at random moments within some seconds, to spread the load. Scheduled ones stay. */
export async function schedule(
  db: Db,
  kind: string,
  ids: readonly number[],
  { at, withinSeconds = 0 }: { at: Date; withinSeconds?: number },
): Promise<void> {
  await sql`
    insert into fetches (kind, id, due_at)
    select ${kind}, id, ${at}::timestamptz + random() * make_interval(secs => ${withinSeconds})
    from unnest(${ids}::int[]) as scheduled (id)
    on conflict do nothing`.execute(db);
}

/** A running fetch can't store its result any more. */
export async function unschedule(db: Db, kind: string, ids: readonly number[]): Promise<void> {
  await db.deleteFrom("fetches").where("kind", "=", kind).where("id", "=", anyInt(ids)).execute();
}

export async function refresh(db: Db, kind: string, ids: readonly number[], now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update fetches set due_at = least(due_at, ${now}::timestamptz)
    where kind = ${kind} and id = any(${ids}::int[])`.execute(db);
  return numAffectedRows > 0n;
}

export async function lease(
  db: Db,
  kind: string,
  { now, ids, seconds }: { now: Date; ids: readonly number[] | undefined; seconds: number },
): Promise<Leased | undefined> {
  const isOne = ids === undefined ? sql`kind = ${kind}` : sql`kind = ${kind} and id = any(${ids}::int[])`;
  const { rows } = await sql<Leased>`
    update fetches set ${beginLease(seconds)} where (kind, id) = ${leases.first(now, isOne)}
    returning kind, id, lease, etag, last_modified, failures`.execute(db);
  return rows[0];
}

export function isAnyDue(db: Db, kind: string, ids: readonly number[], now: Date): Promise<boolean> {
  return isAny(
    db
      .selectFrom("fetches")
      .select("id")
      .where("kind", "=", kind)
      .where("id", "=", anyInt(ids))
      .where("due_at", "<=", now)
      .limit(1),
  );
}

export const isAnyReachedSince = (db: Db, since: Date): Promise<boolean> =>
  isAny(db.selectFrom("fetches").select("id").where("succeeded_at", ">=", since).limit(1));

/** Whether the lease holds until the transaction ends. Ask after locking people. */
export const stillMine = (tx: Db, holder: Holder): Promise<boolean> =>
  isAny(tx.selectFrom("fetches").select("id").where(leases.isHeldBy(holder)).forUpdate());

/** Ends a lease with its outcome, unless another process has it by now. */
export const { finish } = leases;

/** The scheduled ones of these fetches by id, with how the last time went. */
export async function statusOf(db: Db, kind: string, ids: readonly number[]) {
  const rows = await db
    .selectFrom("fetches")
    .select(["id", "due_at", "fetched_at", "succeeded_at", "failures", "failure"])
    .select(sql<boolean>`not ${IS_FREE}`.as("is_running"))
    .where("kind", "=", kind)
    .where("id", "=", anyInt(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
