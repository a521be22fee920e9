import type { Db } from "../db/connect.ts";
import { rowsOf } from "../db/rows.ts";
import { anyInt } from "../db/values.ts";
import { invalid } from "../errors.ts";

const { insertIfNew } = rowsOf("collections");

/** Created if it is new, and locked. */
export async function open(tx: Db, userId: number, name: string): Promise<number> {
  for (;;) {
    const id = (await find(tx, userId, name)) ?? (await insertIfNew(tx, { user_id: userId, slug: name }));
    // Another transaction may have emptied and removed it just now.
    if (id !== undefined) return id;
  }
}

async function find(tx: Db, userId: number, name: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom("collections")
    .select("id")
    .where("user_id", "=", userId)
    .where("slug", "=", name)
    .forKeyShare()
    .executeTakeFirst();
  return row?.id;
}

/** @throws AppError invalid */
export async function checkOwned(tx: Db, userId: number, id: number): Promise<void> {
  const row = Number.isNaN(id)
    ? undefined
    : await tx
        .selectFrom("collections")
        .select("id")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .forKeyShare()
        .executeTakeFirst();
  if (!row) throw invalid("Collection must be one you have permission to post to");
}

export async function removeEmpty(tx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  // The lock waits for a writer who adds an article, which the next statement then sees.
  await tx
    .selectFrom("collections")
    .select("id")
    .where("id", "=", anyInt(ids))
    .orderBy("id")
    .forUpdate()
    .execute();
  await tx
    .deleteFrom("collections")
    .where("id", "=", anyInt(ids))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("articles").select("id").whereRef("collection_id", "=", "collections.id"))),
    )
    .execute();
}
