import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { databaseForAll } from "../../../test/own-database.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as queries from "./queries.ts";

describe("the followers of one among ten times as many people", () => {
  const few = databaseForAll();
  const many = databaseForAll();

  beforeAll(async () => {
    await fill(few.superuser, 1_500);
    await fill(many.superuser, 15_000);
  });

  /** A thousand follow person 1, and each person follows three others; every 50th is suspended. */
  async function fill(db: Db, people: number): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit = on`.execute(tx);
      await sql`insert into handles select 'person_' || n, 'user' from generate_series(1, ${people}::int) as n`.execute(
        tx,
      );
      await sql`insert into users (id, username, name, suspended)
        select n, 'person_' || n, 'Person', n % 50 = 0 from generate_series(1, ${people}::int) as n`.execute(
        tx,
      );
      await sql`insert into follows (follower_id, followed_user_id, created_at)
        select n, 1, timestamptz '2026-01-01' + n * interval '1 minute'
        from generate_series(2, 1001) as n`.execute(tx);
      await sql`insert into follows (follower_id, followed_user_id)
        select n, 2 + (n * 7 + step * 13) % (${people}::int - 2)
        from generate_series(1, ${people}::int) as n, generate_series(1, 3) as step
        where 2 + (n * 7 + step * 13) % (${people}::int - 2) <> n`.execute(tx);
    });
    await sql`vacuum analyze follows, users`.execute(db);
  }

  /** Pages that PostgreSQL looks at: a measure that no busy computer changes. */
  async function pagesRead(db: Db, part: { limit: number; offset: number }): Promise<number> {
    const query = queries.followersQuery(1, { isOldestFirst: false, ...part });
    const { rows } = await sql<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json) ${query}`.execute(db);
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    return (plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN);
  }

  test.each([
    [81, 0],
    [81, 800],
    [501, 0],
  ])("cost as much: %i behind %i", async (limit, offset) => {
    const small = await pagesRead(few.db, { limit, offset });
    expect(await pagesRead(many.db, { limit, offset })).toBeLessThanOrEqual(2 * small);
  });
});
