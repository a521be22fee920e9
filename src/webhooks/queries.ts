import type { Insertable, Selectable, Updateable } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../db/connect.ts";
import type { WebhookEndpoints } from "../db/tables.ts";
import { AUTHOR_COLUMNS } from "../users/columns.ts";

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

/** Somebody's endpoints by their numbers. */
export function list(db: Db, userId: number) {
  return select(db).where("user_id", "=", userId).orderBy("id").execute();
}

/** Whose is an endpoint, and which of them. */
export interface Own {
  id: number;
  userId: number;
}

export function find(db: Db, { id, userId }: Own): Promise<EndpointRow | undefined> {
  return select(db).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
}

/** An endpoint that nobody else changes, disables or queues anything for until the transaction ends. */
export function lock(tx: Db, id: number): Promise<Selectable<WebhookEndpoints> | undefined> {
  return tx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function count(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_endpoints")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of the new endpoint; undefined when its owner has one of this address. */
export async function insert(tx: Db, endpoint: Insertable<WebhookEndpoints>): Promise<number | undefined> {
  const row = await tx
    .insertInto("webhook_endpoints")
    .values(endpoint)
    .onConflict((conflict) => conflict.columns(["user_id", "target_url"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function update(tx: Db, id: number, change: Updateable<WebhookEndpoints>): Promise<void> {
  await tx.updateTable("webhook_endpoints").set(change).where("id", "=", id).execute();
}

/** Deletes an endpoint with its deliveries, and tells whether it was there. */
export async function remove(tx: Db, { id, userId }: Own): Promise<boolean> {
  const row = await tx
    .deleteFrom("webhook_endpoints")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
