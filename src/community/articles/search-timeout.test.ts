import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectionTo } from "../../../test/database.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import { connect, type Connection } from "../../platform/db/connect.ts";

const PATIENCE_MS = 1_500;

let world: World;
let slow: Connection;
beforeAll(async () => {
  world = await startWorld({
    build: async (context, services) => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
        context.db.main,
      );
      const connection = connectionTo(rows[0]?.name ?? "");
      slow = connect({ connection, poolSize: 2, statementTimeoutMs: PATIENCE_MS });
      return buildApp({ ...context, db: { ...context.db, slow: slow.db } }, services);
    },
  });
  await world.article(await world.user(), { title: "Growing tomatoes" });
});
afterAll(async () => {
  await slow.db.destroy();
  await world.stop();
});

test.each(["q=tomatoes", "q=tomatoes&top=7", "q=tomatos"])(
  "a search (%s) that takes too long says to come back, and works when it can",
  async (query) => {
    const search = () => world.get(`/api/articles/search?${query}`);
    await world.db.transaction().execute(async (tx) => {
      // Keeps every search waiting until the transaction ends.
      await sql`lock table search_changes, search_rows in access exclusive mode`.execute(tx);
      await world.forget();
      expect(await search()).toMatchObject({
        status: 503,
        headers: { "retry-after": "5", "cache-control": "no-store" },
        body: { error: "service unavailable", status: 503 },
      });
      // What isn't a search isn't held up.
      expect((await world.get("/api/articles")).status).toBe(200);
    });
    expect(await search()).toMatchObject({ status: 200, body: [{ title: "Growing tomatoes" }] });
    expect(world.bugs).toEqual([]);
  },
);
