import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { disable } from "../../community/webhooks/endpoint-state.ts";
import { worldForAll } from "../../../test/world.ts";

let endpoint: { id: number; secret: string };
const world = worldForAll();
beforeAll(async () => {
  endpoint = await world.webhook(await world.user({ username: "lena" }), {
    target_url: "https://hooks.example/a",
    source: "builder",
    created_at: "2026-03-01T08:00:00Z",
  });
  await world.user({ username: "noor" });
});

const run = commandsWith(() => ({ DATABASE_URL: urlOf(world.name) }));
const inkstone = (...args: string[]) => run("webhook", ...args);

test("operators see what is sent to whom, and send it again", async () => {
  const id = await world.delivery(endpoint);
  await sql`
    update webhook_deliveries set state = 'exhausted', attempts = 10, response_status = 503, failure = 'It answered 503.',
      response_beginning = 'busy', duration_ms = 12, next_attempt_at = null, finished_at = now()`.execute(
    world.db,
  );
  const listed = await inkstone("list", "--json");
  expect(JSON.parse(listed.out)).toEqual([
    {
      id: endpoint.id,
      user: "lena",
      suspended: false,
      source: "builder",
      target_url: "https://hooks.example/a",
      events: ["article_published"],
      created_at: "2026-03-01T08:00:00Z",
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      pending: 0,
    },
  ]);
  expect((await inkstone("list", "--user", "noor")).out).toBe("noor has no webhook endpoints.\n");
  expect((await inkstone("deliveries", "1", "--state", "pending")).out).toBe(
    "Endpoint 1 has no pending deliveries.\n",
  );
  const deliveries = await inkstone("deliveries", "1", "--json");
  expect(JSON.parse(deliveries.out)).toMatchObject([
    { id, endpoint_id: endpoint.id, state: "exhausted", response_status: 503, response_beginning: "busy" },
  ]);
  expect((await inkstone("deliveries", "1")).out).toMatch(
    /^1 {2}[\d-]+ [\d:]+ UTC {2}article_published: exhausted \(attempts: 10, 503, It answered 503\.\)\n$/,
  );
  expect(listed.out + deliveries.out).not.toContain(endpoint.secret);
  expect(await inkstone("retry", String(id))).toEqual({
    code: 0,
    out: `A running server sends delivery ${id} to https://hooks.example/a again.\n`,
    err: "",
  });
  expect((await inkstone("list")).out).toBe("1  lena (builder)  https://hooks.example/a  works, 1 pending\n");
});

test("operators try an endpoint that works", async () => {
  const pinged = await inkstone("ping", "1", "--json");
  const { id } = JSON.parse(pinged.out) as { id: number };
  const { rows } = await sql`select event from webhook_deliveries where id = ${id}`.execute(world.db);
  expect(rows).toEqual([{ event: "ping" }]);
  await inTransaction(world.db, (tx) => disable(tx, 1, "It was tired.", new Date("2026-03-31T12:00:00Z")));
  expect((await inkstone("list")).out).toContain(
    "disabled since 2026-03-31 12:00:00 UTC (It was tired.), 0 pending",
  );
  const refused = await inkstone("ping", "1");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is disabled: enable it first")]);
});

test("operators read that nothing is sent to a suspended owner", async () => {
  await sql`update users set suspended = true where username = 'lena'`.execute(world.db);
  const sentence = "lena is suspended: nothing is sent to their endpoints until that is taken back.";
  for (const args of [
    ["retry", "1"],
    ["ping", "1"],
  ]) {
    expect(await inkstone(...args)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(sentence),
    });
  }
  expect((await inkstone("list")).out).toContain("is sent nothing because its owner is suspended");
  await sql`update users set suspended = false`.execute(world.db);
});

test.each([
  [["deliveries", "99"], 1, "There is no webhook endpoint with the id 99."],
  [["ping", "99"], 1, "There is no webhook endpoint with the id 99."],
  [["retry", "9999999999"], 1, "There is no delivery with the id 9999999999."],
  [["list", "--user", "nobody"], 1, 'There is no user "nobody".'],
  [["retry", "x"], 2, "It must be the number of a delivery"],
  [["deliveries", "1", "--state", "lost"], 2, "pending, delivered, failed, exhausted"],
  [["deliveries", "1", "--limit", "0"], 2, "It must be a whole number from 1 to 999999"],
])("inkstone webhook %j is refused", async (args, code, sentence) => {
  const refused = await inkstone(...args);
  expect([refused.code, refused.out, refused.err]).toEqual([code, "", expect.stringContaining(sentence)]);
});
