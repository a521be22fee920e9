import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Queue } from "../metrics/metrics.ts";

/** More needs no exact number. */
const MAX_COUNTED = sql.lit(100_000);

const TIMEOUT = "1s";

const seconds = (since: ReturnType<typeof sql>, now: ReturnType<typeof sql>) =>
  sql`coalesce(greatest(extract(epoch from ${now} - min(${since})), 0), 0)::float8`;

/** `now` is for queues by the processes' clock; others use the database's. */
export async function queues(db: Db, now: Date): Promise<Queue[]> {
  const byDatabase = sql`now()`;
  const byProcess = sql`${now}::timestamptz`;
  const due = sql`due_at`;
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(TIMEOUT)}`.execute(tx);
    const { rows } = await sql<Queue>`
      select 'jobs' as name, count(*)::int as due, ${seconds(sql`run_at`, byDatabase)} as "oldestSeconds" from (
        select run_at from graphile_worker.jobs
        where run_at <= ${byDatabase} and locked_at is null and attempts < max_attempts
        order by run_at limit ${MAX_COUNTED}
      ) as jobs
      union all
      select 'notifications', count(*)::int, ${seconds(due, byDatabase)} from (
        select due_at from outbox where consumer = 'notifications' and due_at <= ${byDatabase} order by due_at limit ${MAX_COUNTED}
      ) as notifications
      union all
      select 'webhook_events', count(*)::int, ${seconds(due, byDatabase)} from (
        select due_at from outbox where consumer = 'webhooks' and due_at <= ${byDatabase} order by due_at limit ${MAX_COUNTED}
      ) as webhook_events
      union all
      select 'fetches', count(*)::int, ${seconds(due, byProcess)} from (
        select due_at from fetches where due_at <= ${byProcess} limit ${MAX_COUNTED}
      ) as fetches
      union all
      (
        -- Those of endpoints that fail wait for their turn, one after the other, and that is as it should be.
        with deliveries as materialized (
          select next_attempt_at, failing_since is not null as is_failing from webhook_deliveries
          join webhook_endpoints on webhook_endpoints.id = endpoint_id
          join users on users.id = user_id
          where state = 'pending' and next_attempt_at <= ${byProcess} and not suspended
            and disabled_at is null
          order by next_attempt_at limit ${MAX_COUNTED}
        )
        select name, count(next_attempt_at)::int, ${seconds(sql`next_attempt_at`, byProcess)}
        from (values ('webhook_deliveries', false), ('webhook_deliveries_failing', true)) as kinds (name, is_failing)
        left join deliveries using (is_failing)
        group by name
      )`.execute(tx);
    return rows;
  });
}

export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

export async function hasUsers(db: Db): Promise<boolean> {
  const row = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}
