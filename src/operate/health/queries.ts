import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { isAny } from "../../platform/db/values.ts";
import type { Queue } from "../../platform/metrics/metrics.ts";

/** More needs no exact number. */
const MAX_COUNTED = sql.lit(100_000);
const TIMEOUT = "1s";

const seconds = (since: ReturnType<typeof sql>, now: ReturnType<typeof sql>) =>
  sql`coalesce(greatest(extract(epoch from ${now} - min(${since})), 0), 0)::float8`;

/** `now` is for queues by the processes' clock; others use the database's. */
export async function queues(db: Db, now: Date): Promise<Queue[]> {
  const byDatabase = sql`now()`;
  const byProcess = sql`${now}::timestamptz`;
  const outbox = (name: string, consumer: string) => sql`
    select ${sql.lit(name)}, count(*)::int, ${seconds(sql`due_at`, byDatabase)} from (
      select due_at from outbox where consumer = ${sql.lit(consumer)} and due_at <= ${byDatabase}
      order by due_at limit ${MAX_COUNTED}
    ) as tasks`;
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(TIMEOUT)}`.execute(tx);
    const { rows } = await sql<Queue>`
      select 'jobs' as name, count(*)::int as due, ${seconds(sql`run_at`, byDatabase)} as "oldestSeconds" from (
        select run_at from graphile_worker.jobs
        where run_at <= ${byDatabase} and locked_at is null and attempts < max_attempts
        order by run_at limit ${MAX_COUNTED}
      ) as jobs
      union all ${outbox("notifications", "notifications")}
      union all ${outbox("webhook_events", "webhooks")}
      union all
      select 'fetches', count(*)::int, ${seconds(sql`due_at`, byProcess)} from (
        select due_at from fetches where due_at <= ${byProcess} limit ${MAX_COUNTED}
      ) as fetches
      union all
      select 'mails', count(*)::int, ${seconds(sql`next_attempt_at`, byProcess)} from (
        select next_attempt_at from mails where state = 'pending' and next_attempt_at <= ${byProcess}
        order by next_attempt_at limit ${MAX_COUNTED}
      ) as mails
      union all
      (
        -- Deliveries of failing endpoints wait for their turn, one after the other.
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

export const hasUsers = (db: Db): Promise<boolean> => isAny(db.selectFrom("users").select("id").limit(1));
