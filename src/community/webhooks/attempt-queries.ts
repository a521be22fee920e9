import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { beginLease, IS_FREE, leasesOf } from "../../platform/db/lease.ts";

/** A delivery with the lease of the process that attempts it. */
export interface Claimed {
  id: string;
  endpoint_id: number;
  webhook_id: string;
  payload: string;
  /** Includes the one that it was claimed for. */
  attempts: number;
  lease: string;
  /** Whether nothing has reached its endpoint since an attempt failed. */
  is_failing: boolean;
  target_url: string;
  secret: string;
  previous_secrets: string[];
}

/** Attempts of an endpoint at once; a failing endpoint is only tried. */
const AT_ONCE = sql`case when failing_since is null then 2 else 1 end`;

export const leases = leasesOf("webhook_deliveries", {
  due: "next_attempt_at",
  where: sql`state = 'pending'`,
});

/** Longer than an attempt takes. */
const LEASE_SECONDS = 30;

const HAS_ROOM = sql`(
  select count(*) from webhook_deliveries
  where endpoint_id = webhook_endpoints.id and lease is not null and not ${IS_FREE}
) < ${AT_ONCE}`;

/**
 * Endpoints that may be sent a delivery now: working ones, of which the one with the oldest due delivery comes first,
 * and failing ones, of which the one with the oldest attempt does, because what they have due only grows. A backlog
 * costs nothing: only the first delivery of each endpoint is looked up.
 */
export async function findReady(db: Db, now: Date): Promise<{ id: number; is_failing: boolean }[]> {
  const { rows } = await sql<{ id: number; is_failing: boolean }>`
    with recursive waiting (endpoint_id) as (
      (
        select endpoint_id from webhook_deliveries
        where state = 'pending'
          and exists (select from webhook_deliveries where state = 'pending' and next_attempt_at <= ${now})
        order by endpoint_id limit 1
      )
      union all
      select (
        select endpoint_id from webhook_deliveries
        where state = 'pending' and endpoint_id > waiting.endpoint_id
        order by endpoint_id limit 1
      )
      from waiting where waiting.endpoint_id is not null
    )
    select webhook_endpoints.id, failing_since is not null as is_failing
    from waiting
    join webhook_endpoints on webhook_endpoints.id = waiting.endpoint_id
    join users on users.id = webhook_endpoints.user_id
    cross join lateral (
      select next_attempt_at from webhook_deliveries
      where endpoint_id = waiting.endpoint_id and ${leases.isDue(now)}
      order by next_attempt_at, id limit 1
    ) as due
    where disabled_at is null and not users.suspended and ${HAS_ROOM}
    order by case when failing_since is not null then attempted_at end nulls first, next_attempt_at, id`.execute(
    db,
  );
  return rows;
}

/** Locks the first of these endpoints that no other transaction has locked. */
export async function lockFree(tx: Db, endpointIds: readonly number[], limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select webhook_endpoints.id
    from unnest(${endpointIds}::int[]) with ordinality as ready (id, place)
    join webhook_endpoints on webhook_endpoints.id = ready.id
    where disabled_at is null
    order by place limit ${limit}
    for no key update of webhook_endpoints skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Leases the first due delivery of each of these endpoints, which the transaction has locked. The attempt counts from
 * here on, also when its process dies.
 */
export async function lease(tx: Db, endpointIds: readonly number[], now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update webhook_deliveries set ${beginLease(LEASE_SECONDS)}, attempts = attempts + 1
    from webhook_endpoints
    cross join lateral (
      select id from webhook_deliveries
      where endpoint_id = webhook_endpoints.id and ${leases.isDue(now)}
      order by next_attempt_at, id limit 1
    ) as due
    where webhook_endpoints.id = any(${endpointIds}::int[]) and disabled_at is null and ${HAS_ROOM}
      and exists (select from users where users.id = webhook_endpoints.user_id and not users.suspended)
      and webhook_deliveries.id = due.id
    returning webhook_deliveries.id, endpoint_id, webhook_id, payload, attempts, lease, failing_since is not null as is_failing,
      target_url, secret, array(
        select previous.secret from webhook_previous_secrets as previous
        where previous.endpoint_id = webhook_endpoints.id and valid_until > ${now} order by valid_until desc
      ) as previous_secrets`.execute(tx);
  return rows;
}

/** Sends those of these endpoints that fail to the end of their queue. */
export async function noteTurn(tx: Db, endpointIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update webhook_endpoints set attempted_at = ${now}
    where id = any(${endpointIds}::int[]) and failing_since is not null`.execute(tx);
}
