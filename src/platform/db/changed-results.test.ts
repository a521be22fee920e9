import { sql } from "kysely";
import { expect, test } from "vitest";
import { superuserTo } from "../../../test/database.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { connect } from "./connect.ts";
import { prepare } from "./prepared.ts";
import { inTransaction } from "./transaction.ts";

const database = databaseForEach();

let count = 0;

/** Two connections that have prepared a statement of this test whose result a migration then changes. */
async function changed() {
  const own = sql.lit(`test ${++count}`);
  const all = prepare<{ key: string }, { key: string }>(
    (value) => sql`select * from settings where key <> ${value("key")} and ${own} <> '' order by key`,
  );
  const preparing = { isOn: true };
  const { db } = connect({ connection: superuserTo(database.name), poolSize: 2, preparing });
  await db.insertInto("settings").values({ key: "a", value: "1" }).execute();
  const both = () => Promise.all([all(db, { key: "x" }), all(db, { key: "y" })]);
  await both();
  await sql`alter table settings add column mood text default 'calm'`.execute(db);
  return { db, all, both, preparing };
}

const row = expect.objectContaining({ key: "a", mood: "calm" });

test("a prepared statement whose result a migration has changed is answered, and has no name any more", async () => {
  const { db, both, preparing } = await changed();
  expect(await both()).toEqual([[row], [row]]);
  expect(await both()).toEqual([[row], [row]]);
  expect(await both()).toEqual([[row], [row]]);
  expect(preparing.isOn).toBe(true);
  const { rows } = await sql<{ uses: number }>`
    select (generic_plans + custom_plans)::int as uses from pg_prepared_statements
    where statement like 'select * from settings%'`.execute(db);
  expect(rows).toEqual([{ uses: 1 }]);
  await db.destroy();
});

test("in a transaction, the transaction is repeated as a whole", async () => {
  const { db, all } = await changed();
  let runs = 0;
  const rows = await inTransaction(db, async (tx) => {
    runs += 1;
    await tx.insertInto("settings").values({ key: "b", value: "2" }).execute();
    return all(tx, { key: "b" });
  });
  expect(rows).toEqual([row]);
  expect(runs).toBe(2);
  expect(await db.selectFrom("settings").select("key").orderBy("key").execute()).toEqual([
    { key: "a" },
    { key: "b" },
  ]);
  await db.destroy();
});

test("a statement that PostgreSQL doesn't support fails as it did", async () => {
  const { db } = await changed();
  const refused = prepare<object, object>(() => sql`select count(*) from settings for update`);
  await expect(refused(db, {})).rejects.toMatchObject({
    code: "0A000",
  });
  await db.destroy();
});
