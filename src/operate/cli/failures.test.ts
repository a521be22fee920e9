import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseForAll } from "../../../test/own-database.ts";
import { isPermanent, toSentence } from "./failures.ts";

const database = databaseForAll();

test("a statement that took too long has its own sentence, and may pass at another try", async () => {
  const failure: unknown = await database.db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '1ms'`.execute(tx);
    return sql`select pg_sleep(60)`.execute(tx).catch((error: unknown) => error);
  });
  expect(toSentence(failure)).toBe(
    "The database broke off a statement (canceling statement due to statement timeout): raise statement_timeout of the role or of the pooler, or let DATABASE_URL lead past the pooler for this command.",
  );
  expect(isPermanent(failure)).toBe(false);
});
