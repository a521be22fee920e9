import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyText } from "../../platform/db/values.ts";
import { invalid } from "../../platform/errors.ts";

type Holder = "user" | "organization" | "podcast";

export async function take(tx: Db, kind: Holder, usernames: readonly string[]): Promise<void> {
  if ((await reserve(tx, kind, usernames)) < usernames.length) {
    throw invalid("Username has already been taken");
  }
}

/** Takes the names that are free. Returns their number. */
export async function reserve(tx: Db, kind: Holder, usernames: readonly string[]): Promise<number> {
  // All transactions take names in one order, which prevents deadlocks.
  const { numAffectedRows } = await sql`
    insert into handles (username, kind) select username, ${kind} from unnest(${usernames}::text[]) as username
    order by username on conflict do nothing`.execute(tx);
  return Number(numAffectedRows);
}

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
