import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Every kind of background work, and what it needs to be told. */
export interface Jobs {
  "publish-due": Record<string, never>;
  "refresh-hotness": Record<string, never>;
  "render-again": Record<string, never>;
  "purge-events": Record<string, never>;
}

export type JobHandlers = { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<void> };

/** Given a transaction, the job exists only if the transaction commits. */
export async function enqueue<Name extends keyof Jobs>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)`.execute(db);
}
