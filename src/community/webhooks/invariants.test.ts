import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import { verify } from "../../operate/health/invariants.ts";

describe("inkstone doctor --verify, of webhooks", () => {
  const world = worldForAll();
  beforeAll(async () => {
    const endpoint = await world.webhook(await world.user({ username: "ada" }));
    await inTransaction(world.db, (tx) =>
      events.record(tx, "comment_deleted", { comment_id: 1, article_id: 1 }),
    );
    const { rows } = await sql<{ id: string }>`select max(id) as id from events`.execute(world.db);
    await world.delivery(endpoint, { event: "comment_deleted", eventId: rows[0]?.id ?? "" });
  });

  test("finds nothing wrong with a site that works", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  test("names what is of another event", async () => {
    const renamed = sql`update webhook_deliveries set event = 'follow_created'`;
    expect((await faultsWith(world.superuser, [renamed]))["webhooks"]).toMatch(
      /The delivery 1 is of the event \d+, which is another one\./,
    );
  });
});
