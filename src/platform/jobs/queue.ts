import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

export interface Jobs {
  "render-again": Record<string, never>;
  /** The webhook deliveries after an id that an endpoint has missed since a moment, before it was enabled. */
  "resend-missed": { endpoint_id: number; since: string; enabled_at: string; after: string };
  /** Removes a deleted person from what other people's rows repeat, and their files. */
  "forget-user": { user_id: number; files: string[] };
  "refresh-articles": { author_id: number } | { organization_id: number } | { alias: string };
}

export type JobHandlers = { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<unknown> };

/** Adds a job when the transaction commits, unless an equal one waits. `key` stands for a long payload. */
export async function enqueue<Name extends keyof Jobs>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  { delaySeconds = 0, key }: { delaySeconds?: number; key?: number } = {},
): Promise<void> {
  const json = JSON.stringify(payload);
  await sql`
    select graphile_worker.add_job(${name}, ${json}::json, job_key => ${`${name} ${key ?? json}`},
      run_at => now() + make_interval(secs => ${delaySeconds}))`.execute(db);
}
