import { sql } from "kysely";
import { operator } from "../../src/http/actor.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as keys from "../../src/community/users/keys.ts";
import * as sessions from "../../src/community/users/sessions.ts";
import * as users from "../../src/community/users/users.ts";
import { type Receiver, startReceiver, verify } from "../webhooks.ts";
import { databaseForAll } from "../own-database.ts";
import { urlOf } from "../commands.ts";
import { type ServerProcess, startServerProcess } from "../servers.ts";

const database = databaseForAll();
let server: ServerProcess;
let receiver: Receiver;
let key: string;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await start();
  const ada = await users.create(operator(database.db), { username: "ada", name: "Ada" });
  ({ key } = await keys.create(database.db, { userId: ada.id, description: "Test" }, new Date()));
});
afterAll(async () => {
  await server.kill();
  await receiver.stop();
});

const start = () => startServerProcess(urlOf(database.name), { ALLOW_PRIVATE_NETWORK: "true" });

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, text } = await server.request(path, { method: "POST", key, body });
  expect([status, text]).toEqual([201, text]);
  return JSON.parse(text) as Record<string, unknown>;
}

const LEASE_SECONDS = 30;

/** How many seconds the processes that are gone keep what they were sending. */
async function leftOfLeases(): Promise<number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from leased_until - now())::float as seconds
    from webhook_deliveries where lease is not null`.execute(database.db);
  return rows.map(({ seconds }) => seconds);
}

test("a delivery goes out again, the same, however often the process that sends it is killed", async () => {
  const { secret } = await post("/api/webhooks", {
    webhook_endpoint: { source: "Test", target_url: receiver.url, events: ["article_published"] },
  });
  receiver.answerWith(() => {});
  const article = { title: "Looms", body_markdown: "Words.", published: true };
  const { id } = await post("/api/articles", { article });
  for (let round = 1; round <= 3; round++) {
    await receiver.hasReceived(round);
    await server.kill();
    const left = await leftOfLeases();
    expect(left).toHaveLength(1);
    for (const seconds of left) expect(seconds).toBeLessThanOrEqual(LEASE_SECONDS);
    // As if that time had passed.
    await sql`update webhook_deliveries set leased_until = leased_until - interval '30 seconds'`.execute(
      database.db,
    );
    server = await start();
  }
  receiver.answerWith((response) => void response.end());
  await receiver.hasReceived(4);
  const state = async () => {
    const [delivery] = await database.db.selectFrom("webhook_deliveries").selectAll().execute();
    return delivery?.state;
  };
  await expect.poll(state).toBe("delivered");
  const { received } = receiver;
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  for (const request of received) {
    expect(verify(request, String(secret), new Date())).toMatchObject({
      type: "article_published",
      data: { id },
    });
  }
});

test("an article that a form publishes is in the search, the feed and a delivery, once", async () => {
  const { id: userId } = await database.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const device = { network: "127.0.0.0/24", browser: "Firefox" };
  const session = await sessions.begin(database.db, { userId, ...device }, new Date());
  const form = new FormData();
  const token = "a-token-of-this-form";
  const values = { title: "Zephyr looms", body_markdown: "Windy.", act: "publish", form_token: token };
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  const before = receiver.received.length;
  const headers = { cookie: `session=${session}`, accept: "text/html", "sec-fetch-site": "same-origin" };
  const send = () => server.request("/new", { method: "POST", headers, body: form });
  const answers = await Promise.all([send(), send()]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  await receiver.hasReceived(before + 1);
  expect(receiver.received.at(-1)?.body).toContain("Zephyr looms");
  const found = async (path: string) =>
    (await server.request(path, { headers: { accept: "*/*" } })).text.split("<title>Zephyr looms").length - 1;
  await expect.poll(() => found("/feed")).toBe(1);
  const search = async () => (await server.request("/api/articles/search?q=zephyr", {})).text;
  await expect.poll(search).toContain("Zephyr looms");
  expect(JSON.parse(await search())).toHaveLength(1);
  const events = await database.db
    .selectFrom("webhook_deliveries")
    .select("id")
    .where(sql<boolean>`payload::text like '%Zephyr%'`)
    .execute();
  expect(events).toHaveLength(1);
});
