import type { Db } from "../db/connect.ts";

/** So that of two uploads at once the second sees the first. */
export function lockUser(tx: Db, userId: number) {
  return tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

export async function bytesOf(tx: Db, userId: number): Promise<number> {
  const { bytes } = await tx
    .selectFrom("uploads")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>("bytes"), eb.lit(0)).as("bytes"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

export function insert(tx: Db, upload: { name: string; user_id: number; bytes: number; created_at: Date }) {
  return tx.insertInto("uploads").values(upload).execute();
}
