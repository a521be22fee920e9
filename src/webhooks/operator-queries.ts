import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Everybody's endpoints, or one person's, with how many deliveries wait. Never a secret. */
export function listEndpoints(db: Db, userId: number | undefined) {
  return db
    .selectFrom("webhook_endpoints")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .select([
      "webhook_endpoints.id",
      "users.username as user",
      "users.suspended",
      "source",
      "target_url",
      "events",
    ])
    .select(["webhook_endpoints.created_at", "disabled_at", "disabled_reason", "failing_since"])
    .select((eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select(sql<number>`count(*)::int`.as("count"))
        .whereRef("endpoint_id", "=", "webhook_endpoints.id")
        .where("state", "=", "pending")
        .where("disabled_at", "is", null)
        .$asScalar()
        .$notNull()
        .as("pending"),
    )
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .orderBy("webhook_endpoints.id")
    .execute();
}

/** Whose is an endpoint. */
export function findEndpoint(db: Db, id: number) {
  return db
    .selectFrom("webhook_endpoints")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .select(["webhook_endpoints.id", "user_id as userId", "target_url", "username", "suspended"])
    .where("webhook_endpoints.id", "=", id)
    .executeTakeFirst();
}

/** The endpoint that a delivery is for, and whose that is. */
export function findEndpointOf(db: Db, deliveryId: number) {
  return db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
    .innerJoin("users", "users.id", "webhook_endpoints.user_id")
    .select(["webhook_endpoints.id", "user_id as userId", "target_url", "username", "suspended"])
    .where("webhook_deliveries.id", "=", String(deliveryId))
    .executeTakeFirst();
}
