import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

/** All endpoints of these people. */
export function listOf(tx: Db, userIds: readonly number[]) {
  return tx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("user_id", "=", anyInt(userIds))
    .orderBy("id")
    .execute();
}

/** Endpoints by number behind a given one, with the names of their owners. */
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
