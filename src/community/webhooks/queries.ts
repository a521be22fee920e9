import { type Insertable, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { WebhookPreviousSecrets } from "../../platform/db/tables.ts";
import { anyInt, countRows, isAny } from "../../platform/db/values.ts";
import { AUTHOR_COLUMNS } from "../users/columns.ts";

export const { insertIfNew, lock, update } = rowsOf("webhook_endpoints");

export type EndpointRow = Awaited<ReturnType<typeof list>>[number];

/** Everything that is shown of endpoints: never a secret. */
function select(db: Db) {
  return db
    .selectFrom("webhook_endpoints")
    .select([
      "id",
      "user_id",
      "source",
      "target_url",
      "events",
      "created_at",
      "disabled_at",
      "disabled_reason",
    ])
    .select((eb) =>
      jsonObjectFrom(
        eb.selectFrom("users").select(AUTHOR_COLUMNS).whereRef("users.id", "=", "webhook_endpoints.user_id"),
      )
        .$notNull()
        .as("user"),
    );
}

export function list(db: Db, userId: number) {
  return select(db).where("user_id", "=", userId).orderBy("id").execute();
}

export interface EndpointKey {
  id: number;
  userId: number;
}

export function find(db: Db, { id, userId }: EndpointKey): Promise<EndpointRow | undefined> {
  return select(db).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
}

export function count(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom("webhook_endpoints").where("user_id", "=", userId));
}

export function remove(tx: Db, { id, userId }: EndpointKey): Promise<boolean> {
  return isAny(
    tx.deleteFrom("webhook_endpoints").where("id", "=", id).where("user_id", "=", userId).returning("id"),
  );
}

export async function insertPrevious(tx: Db, previous: Insertable<WebhookPreviousSecrets>): Promise<void> {
  await tx.insertInto("webhook_previous_secrets").values(previous).execute();
}

export async function endsOfPrevious(tx: Db, endpointId: number, now: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom("webhook_previous_secrets")
    .select("valid_until")
    .where("endpoint_id", "=", endpointId)
    .where("valid_until", ">", now)
    .orderBy("valid_until")
    .execute();
  return rows.map(({ valid_until }) => valid_until);
}

export async function removeExpiredSecrets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("webhook_previous_secrets").where("valid_until", "<=", now).execute();
}

export function hasReaction(db: Db, id: number): Promise<boolean> {
  return isAny(db.selectFrom("reactions").select("id").where("id", "=", id));
}

export function isFollower(db: Db, followerId: number, followedId: number): Promise<boolean> {
  return isAny(
    db
      .selectFrom("follows")
      .innerJoin("users", "users.id", "follows.follower_id")
      .select("follows.id")
      .where("followed_user_id", "=", followedId)
      .where("follower_id", "=", followerId)
      .where("users.suspended", "=", false),
  );
}

interface OwnedEvent {
  id: string;
  type: string;
  userId?: number;
  articleId?: number;
  commentId?: number;
}

const selectSubscribed = prepare<{ events: string }, { eventId: string; endpointId: number }>(
  (value) => sql`
    select event.id as "eventId", webhook_endpoints.id as "endpointId"
    from json_to_recordset(${value("events")}::json) as event (
      id bigint, type text, "userId" int, "articleId" int, "commentId" int
    )
    left join articles on articles.id = event."articleId"
    left join comments on comments.id = event."commentId"
    join webhook_endpoints
      on webhook_endpoints.user_id = coalesce(event."userId", articles.author_id, comments.author_id)
      and event.type = any(events) and after_event < event.id
    order by event.id, webhook_endpoints.id`,
);

/**
 * The endpoints of the owners of these events that subscribe to them and were made before they happened. Authors own
 * deleted articles too.
 */
export const subscribed = (db: Db, events: readonly OwnedEvent[]) =>
  selectSubscribed(db, { events: JSON.stringify(events) });

export function listOf(tx: Db, userIds: readonly number[]) {
  return tx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("user_id", "=", anyInt(userIds))
    .orderBy("id")
    .execute();
}

export function listAfter(db: Db, id: number, limit: number) {
  return db
    .selectFrom("webhook_endpoints")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .selectAll("webhook_endpoints")
    .select("users.username as user")
    .where("webhook_endpoints.id", ">", id)
    .orderBy("webhook_endpoints.id")
    .limit(limit)
    .execute();
}

export function listWithOwners(db: Db, userId: number | undefined) {
  const pending = sql<number>`(
    select count(*)::int from webhook_deliveries
    where endpoint_id = webhook_endpoints.id and state = 'pending' and disabled_at is null
  )`;
  return db
    .selectFrom("webhook_endpoints")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .select(["webhook_endpoints.id", "users.username as user", "users.suspended", "source", "target_url"])
    .select(["events", "webhook_endpoints.created_at", "disabled_at", "disabled_reason", "failing_since"])
    .select(pending.as("pending"))
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .orderBy("webhook_endpoints.id")
    .execute();
}

export function findWithOwner(db: Db, { id, deliveryId }: { id?: number; deliveryId?: number }) {
  const endpointOf = sql<number>`(select endpoint_id from webhook_deliveries where id = ${deliveryId ?? null})`;
  return db
    .selectFrom("webhook_endpoints")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .select(["webhook_endpoints.id", "user_id as userId", "target_url", "username", "suspended"])
    .select("disabled_reason")
    .where("webhook_endpoints.id", "=", id ?? endpointOf)
    .executeTakeFirst();
}
