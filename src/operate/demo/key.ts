import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid } from "../../platform/errors.ts";
import * as keys from "../../community/users/keys.ts";
import * as links from "../../community/users/one-time-links.ts";
import * as users from "../../community/users/users.ts";
import { readDemo } from "./content.ts";

const KEY_DESCRIPTION = "Demo key";

/** Only the hash of a key is stored, so the last one can't be shown again. */
export async function renew(db: Db, now: Date): Promise<string> {
  const admin = (await readDemo({ now, baseUrl: "" })).find(({ role }) => role === "admin");
  const username = String(admin?.["username"]);
  const userId = (await users.idsByUsername(db, [username])).get(username);
  if (userId === undefined)
    throw invalid(`The demo's admin ${username} is gone: run \`inkstone demo --remove\` and try again.`);
  return inTransaction(db, async (tx) => {
    await keys.removeByDescription(tx, userId, KEY_DESCRIPTION);
    return (await keys.create(tx, { userId, description: KEY_DESCRIPTION }, now)).key;
  });
}

/** Signs in as the admin of the demo, and as one of its members. */
export async function signInPaths(db: Db, now: Date) {
  const people = await db
    .selectFrom("users")
    .innerJoin("demo_rows", (join) =>
      join.onRef("demo_rows.row_id", "=", "users.id").on("demo_rows.kind", "=", "user"),
    )
    .select(["users.id", "username", "role"])
    .where("suspended", "=", false)
    .orderBy("users.id")
    .execute();
  const chosen = ["admin", "member"].flatMap((role) => people.find((one) => one.role === role) ?? []);
  return Promise.all(
    chosen.map(async ({ id, ...person }) => ({ ...person, path: await links.createPath(db, id, now) })),
  );
}

export async function end(db: Db): Promise<boolean> {
  const owners = await ownersOf(db);
  return inTransaction(db, async (tx) => {
    for (const id of owners) await keys.removeByDescription(tx, id, KEY_DESCRIPTION);
    return owners.length > 0;
  });
}

/** People of the demo who have a printed key. */
export async function ownersOf(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct user_id as id from api_keys join demo_rows on kind = 'user' and row_id = user_id
    where description = ${KEY_DESCRIPTION} order by id`.execute(db);
  return rows.map(({ id }) => id);
}
