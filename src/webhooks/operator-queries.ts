import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Endpoints without secrets, of all people or of one. */
export function listEndpoints(db: Db, userId: number | undefined) {
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

/** An endpoint with its owner, by its id or that of a delivery. */
export function findEndpoint(db: Db, { id, deliveryId }: { id?: number; deliveryId?: number }) {
  const endpointOf = sql<number>`(select endpoint_id from webhook_deliveries where id = ${deliveryId ?? null})`;
  return db
    .selectFrom("webhook_endpoints")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .select(["webhook_endpoints.id", "user_id as userId", "target_url", "username", "suspended"])
    .where("webhook_endpoints.id", "=", id ?? endpointOf)
    .executeTakeFirst();
}
