import { sql, type Updateable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { WebhookDeliveries } from "../db/tables.ts";
import type { Room } from "./claiming.ts";

/** A delivery in the hands of the process that attempts it. */
export interface Claimed {
  id: string;
  endpoint_id: number;
  webhook_id: string;
  payload: string;
  attempts: number;
  /** What says that it is in these hands. */
  lease: string;
  /** Whether nothing has reached its endpoint since an attempt failed. */
  is_failing: boolean;
  target_url: string;
  secret: string;
  previous_secrets: string[];
}

/** So many attempts of an endpoint are under way at once; one that fails is only tried. */
const AT_ONCE = sql`case when failing_since is null then 2 else 1 end`;

const isFree = (now: Date) => sql`(leased_until is null or leased_until <= ${now})`;

const hasRoom = (now: Date) => sql`(
  select count(*) from webhook_deliveries
  where endpoint_id = webhook_endpoints.id and lease is not null and leased_until > ${now}
) < ${AT_ONCE}`;

/**
 * Endpoints to which something may be sent now, those first whose delivery is due longest. However much
 * one has waiting, it is looked up by its first alone.
 */
export async function findReady(db: Db, room: Room, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
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
    ), ready as (
      select webhook_endpoints.id, due.next_attempt_at, failing_since is not null as is_failing,
        row_number() over (partition by failing_since is null order by due.next_attempt_at) as place
      from waiting
      join webhook_endpoints on webhook_endpoints.id = waiting.endpoint_id
      join users on users.id = webhook_endpoints.user_id
      cross join lateral (
        select next_attempt_at from webhook_deliveries
        where endpoint_id = waiting.endpoint_id and state = 'pending' and next_attempt_at <= ${now}
          and ${isFree(now)}
        order by next_attempt_at, id limit 1
      ) as due
      where disabled_at is null and not users.suspended and ${hasRoom(now)}
    )
    select id from ready
    where not is_failing or place <= ${room.failing}
    order by next_attempt_at, id limit ${room.all}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of these endpoints that nobody else holds now, held until the transaction ends. */
export async function holdFree(tx: Db, endpointIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from webhook_endpoints where id = any(${endpointIds}::int[]) and disabled_at is null
    order by id for no key update skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface Lease {
  token: string;
  now: Date;
  until: Date;
}

/** Takes the first that is due of each of these endpoints, which the transaction holds. */
export async function lease(tx: Db, endpointIds: readonly number[], { token, now, until }: Lease) {
  const { rows } = await sql<Claimed>`
    update webhook_deliveries set lease = ${token}, leased_until = ${until}
    from webhook_endpoints
    cross join lateral (
      select id from webhook_deliveries
      where endpoint_id = webhook_endpoints.id and state = 'pending' and next_attempt_at <= ${now} and ${isFree(now)}
      order by next_attempt_at, id limit 1
    ) as due
    where webhook_endpoints.id = any(${endpointIds}::int[]) and disabled_at is null and ${hasRoom(now)}
      and exists (select from users where users.id = webhook_endpoints.user_id and not users.suspended)
      and webhook_deliveries.id = due.id
    returning webhook_deliveries.id, endpoint_id, webhook_id, payload, attempts, lease, failing_since is not null as is_failing,
      target_url, secret, array(
        select previous.secret from webhook_previous_secrets as previous
        where previous.endpoint_id = webhook_endpoints.id and valid_until > ${now} order by valid_until desc
      ) as previous_secrets`.execute(tx);
  return rows;
}

/** Notes something of a delivery that is still in these hands, and tells whether it was. */
export async function settle(
  tx: Db,
  { id, lease }: Pick<Claimed, "id" | "lease">,
  change: Updateable<WebhookDeliveries>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("webhook_deliveries")
    .set({ ...change, lease: null, leased_until: null })
    .where("id", "=", id)
    .where("lease", "=", lease)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
