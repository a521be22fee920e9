import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

export interface Jobs {
  "refresh-hotness": Record<string, never>;
  "render-again": Record<string, never>;
  "purge-events": Record<string, never>;
  "purge-idempotency-keys": Record<string, never>;
  "purge-articles": Record<string, never>;
  "forget-viewers": Record<string, never>;
  "sweep-files": Record<string, never>;
  "expire-listings": Record<string, never>;
  "purge-webhook-deliveries": Record<string, never>;
  /** The webhook deliveries after an id that an endpoint has missed since a moment, before it was enabled. */
  "resend-missed": { endpoint_id: number; since: string; enabled_at: string; after: string };
  "refresh-articles": { author_id: number } | { organization_id: number } | { alias: string };
}

export type JobHandlers = { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<void> };

/** In a transaction, the job exists only after the commit. An equal waiting job is not doubled. */
export async function enqueue<Name extends keyof Jobs>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  { delaySeconds = 0 }: { delaySeconds?: number } = {},
): Promise<void> {
  const json = JSON.stringify(payload);
  await sql`
    select graphile_worker.add_job(${name}, ${json}::json, job_key => ${`${name} ${json}`},
      run_at => now() + make_interval(secs => ${delaySeconds}))`.execute(db);
}
