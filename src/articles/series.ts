import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { invalid } from "../errors.ts";

/** The number of a person's series of this name, which is made when it is new and stays until the transaction ends. */
export async function open(tx: Db, userId: number, name: string): Promise<number> {
  for (;;) {
    const id = (await find(tx, userId, name)) ?? (await make(tx, userId, name));
    // Nothing is there when somebody else took the last article out of it just now.
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

async function make(tx: Db, user_id: number, slug: string): Promise<number | undefined> {
  const row = await tx
    .insertInto("collections")
    .values({ user_id, slug })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** @throws AppError invalid when this is no series of this person */
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

/** Removes series that nothing belongs to any more. */
export async function removeEmpty(tx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  // The lock comes first: it waits for a writer who adds an article now, and the next statement sees that article.
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
