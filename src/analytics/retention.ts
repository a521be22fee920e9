import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as settings from "../settings/settings.ts";
import * as queries from "./counting-queries.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Throws away what told yesterday's visitors apart, an hour late because views are written late. */
export function forgetVisitors(db: Db, now: Date): Promise<void> {
  return inTransaction(db, (tx) => queries.removeKeysBefore(tx, dayOf(now.getTime() - HOUR_MS)));
}

const BATCH = 5_000;

/** Forgets who viewed what, after as many days as the settings say; the counts stay. Returns how many rows it took. */
export async function forgetViewers(db: Db, now: Date): Promise<number> {
  const { page_view_days: days } = await settings.read(db);
  const day = dayOf(now.getTime() - days * DAY_MS);
  for (let total = 0; ;) {
    const forgotten = await inTransaction(db, (tx) => queries.forgetBefore(tx, day, BATCH));
    total += forgotten;
    if (forgotten < BATCH) return total;
  }
}
