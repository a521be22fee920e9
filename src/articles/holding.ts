import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

/**
 * Keeps these articles from other changes until the transaction ends, for whoever will count something
 * about them, in an order in which nobody waits for somebody who waits for them.
 */
export async function holdAll(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .selectFrom("articles")
    .select("id")
    .where("id", "=", anyInt(ids))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}
