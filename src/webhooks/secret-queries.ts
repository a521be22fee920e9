import type { Db } from "../db/connect.ts";

interface PreviousSecret {
  endpoint_id: number;
  secret: string;
  valid_until: Date;
}

export async function insertPrevious(tx: Db, previous: PreviousSecret): Promise<void> {
  await tx.insertInto("webhook_previous_secrets").values(previous).execute();
}

/** Until when the secrets of an endpoint are valid that aren't over, the first to end first. */
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

/** Deletes everybody's that are over. */
export async function removeOver(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("webhook_previous_secrets").where("valid_until", "<=", now).execute();
}
