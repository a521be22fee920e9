import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { GIVEN_UP } from "./delivery-queries.ts";

/** Endpoints whose deliveries don't follow their standing yet. */
export async function findUnsettled(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("settled_to", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The next deliveries of an endpoint by their numbers. */
export interface Stretch {
  endpointId: number;
  after: string;
  limit: number;
}

/** How many deliveries were looked at, and the last of them. */
export interface Visited {
  count: number;
  last: string | null;
}

const stretch = ({ endpointId, after, limit }: Stretch) => sql`
  visited as materialized (
    select id from webhook_deliveries where endpoint_id = ${endpointId} and id > ${after}::bigint
    order by id limit ${limit}
  )`;

/** Gives up what of these is still to be delivered. */
export async function giveUp(tx: Db, next: Stretch, at: Date): Promise<Visited> {
  const { rows } = await sql<Visited>`
    with ${stretch(next)}, given_up as (
      update webhook_deliveries
      set state = 'failed', failure = ${GIVEN_UP}, next_attempt_at = null, finished_at = ${at}, lease = null,
        leased_until = null
      where id in (select id from visited) and state = 'pending'
    )
    select count(*)::int as count, max(id) as last from visited`.execute(tx);
  return rows[0] as Visited;
}

/**
 * Makes due what of these was given up since then, but for pings, with all attempts ahead of it; and what was
 * about to be given up and waits for a later attempt.
 */
export async function makeDue(
  tx: Db,
  next: Stretch,
  { since, at }: { since: Date; at: Date },
): Promise<Visited> {
  const { rows } = await sql<Visited>`
    with ${stretch(next)}, made_due as (
      update webhook_deliveries
      set state = 'pending', attempts = 0, next_attempt_at = ${at}, finished_at = null
      where id in (select id from visited) and event <> 'ping' and (
        (state in ('failed', 'exhausted') and finished_at >= ${since})
        or (state = 'pending' and lease is null and created_at < ${at} and next_attempt_at > ${at})
      )
    )
    select count(*)::int as count, max(id) as last from visited`.execute(tx);
  return rows[0] as Visited;
}
