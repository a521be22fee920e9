import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseForAll } from "../../test/own-database.ts";
import { cleanPendingLists } from "./pending-lists.ts";

const database = databaseForAll();

test("the sweep of pending lists passes while the indexes are built anew", async () => {
  await database.db.transaction().execute(async (tx) => {
    await sql`lock table article_search`.execute(tx);
    await expect(cleanPendingLists(database.db)).resolves.toBeUndefined();
  });
  await expect(cleanPendingLists(database.db)).resolves.toBeUndefined();
});
