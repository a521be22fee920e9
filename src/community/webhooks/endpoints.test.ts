import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settledAtOnce } from "../../../test/waiting.ts";
import { snapshot } from "../../../test/own-database.ts";
import { type Reply, startWorld, worldForAll } from "../../../test/world.ts";
import { EVENT_NAMES } from "./schema.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let key: string;
let strangersKey: string;
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  key = await world.key(await world.user({ username: "lena" }));
  strangersKey = await world.key(await world.user({ username: "noor" }));
});
beforeEach(async () => void (await world.db.deleteFrom("webhook_endpoints").execute()));

const GOOD = {
  source: "my-site-builder",
  target_url: "https://hooks.example/a?token=1",
  events: ["article_created"],
};

const post = (url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  world.request({ method: "POST", url, key, headers, ...(body !== undefined && { body }) });
const create = (fields: object) => post("/api/webhooks", { webhook_endpoint: { ...GOOD, ...fields } });
const errorOf = ({ body }: Reply) => (body as { error: string }).error;
/** Tries it, and gives the sentence by which nothing was done. */
async function refusal(send: () => Promise<Reply>): Promise<string> {
  const before = await snapshot(world.db);
  const reply = await send();
  expect([reply.status, reply.body]).toEqual([422, { error: expect.any(String), status: 422 }]);
  expect(await snapshot(world.db)).toEqual(before);
  return errorOf(reply);
}

describe("POST /api/webhooks", () => {
  test("makes an endpoint and shows its secret, which nothing shows again", async () => {
    const { status, headers, body } = await create({ source: " my-site-builder " });
    expect(status).toBe(201);
    const { id, secret } = body as { id: number; secret: string };
    expect(body).toEqual({
      type_of: "webhook_endpoint",
      id,
      source: "my-site-builder",
      target_url: "https://hooks.example/a?token=1",
      events: ["article_created"],
      created_at: "2026-03-31T12:00:00.250Z",
      disabled_at: null,
      disabled_reason: null,
      user: expect.objectContaining({ username: "lena" }),
      secret: expect.stringMatching(SECRET),
    });
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(headers).toMatchObject({
      location: `https://ink.example/api/webhooks/${id}`,
      "cache-control": "private, no-store",
    });
    const shown = await world.get(`/api/webhooks/${id}`, { key });
    const { secret: _, ...rest } = body as { secret: string };
    expect(shown).toMatchObject({ status: 200, body: rest });
    expect(shown.headers["etag"]).toBe(headers["etag"]);
    const { user: __, ...listed } = rest as unknown as { user: object };
    expect((await world.get("/api/webhooks", { key })).body).toEqual([
      { ...listed, created_at: "2026-03-31T12:00:00Z" },
    ]);
    const { rows } = await sql`select type, payload from events order by id desc limit 1`.execute(world.db);
    expect(rows).toEqual([{ type: "webhook_created", payload: { user_id: 1, webhook_endpoint_id: id } }]);
  });

  test("reads the names of events in both ways of writing them, and each once", async () => {
    const { body } = await create({ events: ["FollowCreated", "article_created", "ArticleCreated"] });
    expect(body).toMatchObject({ events: ["follow_created", "article_created"] });
    const all = await create({ target_url: "https://hooks.example/all", events: EVENT_NAMES });
    expect(all.body).toMatchObject({ events: EVENT_NAMES });
  });

  test.each([
    [{ source: undefined }, "Source can't be blank"],
    [{ source: "  " }, "Source can't be blank"],
    [{ source: 7 }, "Source must be a string"],
    [{ source: "x".repeat(101) }, "Source is too long (maximum is 100 characters)"],
    [{ source: "a\nb" }, "Source contains a control character: leave it out"],
    [{ target_url: null }, "Target url can't be blank"],
    [{ target_url: ["https://hooks.example"] }, "Target url must be a string"],
    [{ target_url: "http://hooks.example/a" }, "Target url must start with https://"],
    ...[
      "localhost/a",
      "api.internal/a",
      "127.0.0.1/",
      "[::1]/",
      "2130706433/",
      "0x7f.1/",
      "[::ffff:10.0.0.1]/",
    ].map((rest): [object, string] => [
      { target_url: `https://${rest}` },
      "Target url leads into a private network: it must be an address of the public internet",
    ]),
    [
      { target_url: "https://hooks.example:22/" },
      "Target url can't be used: Port 22 isn't fetched from: it must be 80 or 443",
    ],
    [{ events: undefined }, `Events can't be blank: give some of ${EVENT_NAMES.join(", ")}`],
    [{ events: [] }, `Events can't be blank: give some of ${EVENT_NAMES.join(", ")}`],
    [{ events: "article_created" }, 'Events must be an array of strings, such as ["article_published"]'],
    [{ events: [null] }, 'Events must be an array of strings, such as ["article_published"]'],
    [
      { events: ["article_created", "article_eaten"] },
      `Events can't include "article_eaten": known are ${EVENT_NAMES.join(", ")}`,
    ],
    [
      { events: ["Articlecreated"] },
      `Events can't include "Articlecreated": known are ${EVENT_NAMES.join(", ")}`,
    ],
    [{ events: [""] }, `Events can't include "": known are ${EVENT_NAMES.join(", ")}`],
  ])("refuses %j", async (fields, sentence) => {
    expect(await refusal(() => create(fields))).toBe(`Validation failed: ${sentence}`);
  });

  test.each([
    "hooks.example/a",
    "ftp://hooks.example/a",
    "https://user:pass@hooks.example/a",
    "https://hooks.example/a b",
    "https:hooks.example",
    "javascript:alert(1)",
    "https://",
  ])("refuses to send to %s", async (target_url) => {
    expect(await refusal(() => create({ target_url }))).toBe(
      "Validation failed: Target url must be a full https address without spaces and user name, such as https://example.com/hooks",
    );
  });

  test("refuses an address that is too long", async () => {
    const target_url = `https://hooks.example/${"é".repeat(1000)}`;
    expect(await refusal(() => create({ target_url }))).toBe(
      "Validation failed: Target url is too long (maximum is 2000 bytes)",
    );
  });

  test("tells everything that is wrong at once", async () => {
    expect(await refusal(() => create({ source: "", target_url: "http://a.example", events: [] }))).toMatch(
      /^Validation failed: Source can't be blank, Target url must start with https:\/\/, and Events can't be blank: /,
    );
  });

  test.each([
    [undefined],
    [{}],
    [{ target_url: "https://a.example" }],
    [{ webhook_endpoint: {} }],
    [{ webhook_endpoint: [1] }],
  ])("refuses the body %j, which has no attributes", async (body) => {
    expect(await refusal(() => post("/api/webhooks", body))).toBe(
      "param is missing or the value is empty: webhook_endpoint",
    );
  });

  test("takes every way of writing an address for the same one", async () => {
    const { body } = await create({ target_url: "HTTPS://Hooks.Example:443/a/../b#part" });
    expect(body).toMatchObject({ target_url: "https://hooks.example/b" });
    for (const target_url of ["https://hooks.example/b", "https://hooks.example/b#other"]) {
      expect(await refusal(() => create({ target_url }))).toContain("Target url has already been taken");
    }
  });

  test("refuses an address that its owner has, and not one that another person has", async () => {
    await create({});
    expect(await refusal(() => create({ source: "another" }))).toBe(
      "Validation failed: Target url has already been taken: you have an endpoint with it",
    );
    const body = { webhook_endpoint: GOOD };
    const others = await world.request({ method: "POST", url: "/api/webhooks", key: strangersKey, body });
    expect(others.status).toBe(201);
  });

  test("makes ten endpoints of one person and no more, also at the same moment", async () => {
    const many = Array.from(
      { length: 50 },
      (_, n) => () => create({ target_url: `https://hooks.example/${n}` }),
    );
    const replies = await settledAtOnce(many);
    const statuses = replies.map((reply) => (reply.status === "fulfilled" ? reply.value.status : 0));
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 422)).toHaveLength(40);
    expect((await world.get("/api/webhooks", { key })).body).toHaveLength(10);
    expect(await refusal(() => create({}))).toBe(
      "Validation failed: There can be at most 10 webhook endpoints per user: remove one first",
    );
  });

  test("makes one endpoint of many equal requests at the same moment", async () => {
    const replies = await settledAtOnce(Array.from({ length: 20 }, () => () => create({})));
    const statuses = replies.map((reply) => (reply.status === "fulfilled" ? reply.value.status : 0));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
  });

  test("shows the secret again for the same Idempotency-Key", async () => {
    const send = () => post("/api/webhooks", { webhook_endpoint: GOOD }, { "idempotency-key": "once" });
    const [first, second] = [await send(), await send()];
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
    expect(second.body).toMatchObject({ secret: expect.stringMatching(SECRET) });
    expect((await world.get("/api/webhooks", { key })).body).toHaveLength(1);
  });
});

test("GET /api/webhooks is empty at first, and lists one's own by their numbers", async () => {
  expect(await world.get("/api/webhooks", { key })).toMatchObject({ status: 200, body: [] });
  for (const name of ["b", "a", "c"]) await create({ target_url: `https://hooks.example/${name}` });
  const listed = (await world.get("/api/webhooks", { key })).body as { id: number; target_url: string }[];
  expect(listed.map(({ target_url }) => target_url.at(-1))).toEqual(["b", "a", "c"]);
  expect((await world.get("/api/webhooks", { key: strangersKey })).body).toEqual([]);
});

describe("DELETE /api/webhooks/{id}", () => {
  test("removes an endpoint with its deliveries and what was told of it", async () => {
    const { id } = (await create({})).body as { id: number };
    await world.delivery({ id });
    const remove = () => world.request({ method: "DELETE", url: `/api/webhooks/${id}`, key });
    expect(await remove()).toMatchObject({ status: 204, text: "" });
    const { rows } = await sql`select from webhook_deliveries`.execute(world.db);
    expect([rows, (await world.get(`/api/webhooks/${id}`, { key })).status]).toEqual([[], 404]);
    expect((await remove()).status).toBe(404);
    // The address is free again.
    expect((await create({})).status).toBe(201);
  });
});

test("where the private network is allowed, so are its addresses, over http and to any port", async () => {
  const open = await startWorld({ config: { allowPrivateNetwork: true } });
  const openKey = await open.key(await open.user());
  for (const target_url of ["http://127.0.0.1:4000/hook", "http://localhost/", "https://hooks.example:22/"]) {
    const body = { webhook_endpoint: { ...GOOD, target_url } };
    const reply = await open.request({ method: "POST", url: "/api/webhooks", key: openKey, body });
    expect([target_url, reply.status]).toEqual([target_url, 201]);
  }
  await open.stop();
});
