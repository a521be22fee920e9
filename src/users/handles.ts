import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";

type Holder = "user" | "organization" | "podcast";

export async function take(tx: Db, kind: Holder, usernames: readonly string[]): Promise<void> {
  // In one order, against deadlocks.
  const rows = usernames.toSorted().map((username) => ({ username, kind }));
  await tx.insertInto("handles").values(rows).execute();
}

/** The kinds of holders of those of these names that are taken. */
export async function holdersOf(db: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("handles")
    .selectAll()
    .where("username", "=", anyText(usernames))
    .execute();
  return new Map(rows.map(({ username, kind }) => [username, kind]));
}

export async function release(tx: Db, kind: Holder, usernames: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("handles")
    .where("username", "=", anyText(usernames))
    .where("kind", "=", kind)
    .execute();
}
