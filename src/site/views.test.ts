import { hash } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { startWorld, type World, worldForAll } from "../../test/world.ts";
import * as settings from "../platform/settings/settings.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let ada: Awaited<ReturnType<World["user"]>>;
let article: Awaited<ReturnType<World["article"]>>;
const world = worldForAll({ rateLimits: true, config: { edgeSeconds: 10, trustProxy: ["127.0.0.1"] } });
beforeAll(async () => void (ada = await world.user({ username: "ada" })));
beforeEach(async () => void (article = await world.article(ada)));

interface Report {
  id?: number | string;
  referrer?: string;
  address?: string;
  headers?: Record<string, string>;
  key?: string;
}

function report({ id = article.id, referrer = "", address = "203.0.113.1", headers, key }: Report = {}) {
  return world.request({
    method: "POST",
    url: `/views?article_id=${id}&referrer=${referrer}`,
    headers: { "user-agent": BROWSER, "x-forwarded-for": address, ...headers },
    key,
  });
}

async function views() {
  await world.services.views.write(world.db, () => {});
  const rows = await world.db
    .selectFrom("page_views")
    .select(["referrer", "views"])
    .where("article_id", "=", article.id)
    .orderBy("referrer")
    .execute();
  return rows.map((row) => [row.referrer, Number(row.views)]);
}

const page = (path: string) => world.get(path, { headers: { "user-agent": BROWSER } });

test("the page of an article holds a script of at most 200 bytes that its policy allows, and isn't counted when it is sent", async () => {
  const { text, headers } = await page(`/ada/${article.slug}`);
  const [, id, script = ""] = /<script data-article="(\d+)">(.*?)<\/script>/s.exec(text) ?? [];
  expect(Number(id)).toBe(article.id);
  expect(script).toContain("/views");
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(200);
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain(`'sha256-${hash("sha256", script, "base64")}'`);
  expect(policy).toContain("connect-src 'self'");
  expect(await views()).toEqual([]);
});

test("other pages hold no such script, and those of other sites can't read what it answers", async () => {
  for (const path of ["/", "/ada", "/search?q=looms"])
    expect((await page(path)).text).not.toContain("/views");
  const { headers } = await report({ headers: { origin: "https://elsewhere.example" } });
  expect(headers["access-control-allow-origin"]).toBeUndefined();
});

test("a report is a view: one for each visitor and day, with the host that led there", async () => {
  const { status, text, headers } = await report({ referrer: "https://news.example:8443" });
  expect([status, text, headers["cache-control"]]).toEqual([204, "", "no-store"]);
  await report({ referrer: "https://other.example" });
  await report({ address: "203.0.113.2" });
  await report({ address: "203.0.113.3", referrer: "https://news.example" });
  expect(await views()).toEqual([
    ["", 1],
    ["news.example", 2],
  ]);
});

test("reads by the API are counted as they are sent", async () => {
  await page(`/api/articles/${article.id}`);
  await report({ address: "203.0.113.2" });
  expect(await views()).toEqual([["", 2]]);
});

test("crawlers, browsers that read ahead and authors with their key are not counted", async () => {
  await report({ headers: { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" } });
  await report({ headers: { "sec-purpose": "prefetch;prerender" } });
  await report({ key: await world.key(ada) });
  expect(await views()).toEqual([]);
});

test("articles that nobody may read have no views, and what no article can be or is too long is refused", async () => {
  article = await world.article(ada, { published: false });
  for (const id of [article.id, 999_999])
    expect(await report({ id })).toMatchObject({ status: 404, body: { error: "not found", status: 404 } });
  expect(await views()).toEqual([]);
  const { status } = await report({ referrer: "a".repeat(301) });
  expect(status).toBe(422);
});

test.each([
  ["", "article_id is missing: add it to the query"],
  ["looms", 'article_id must be a whole number from 1 to 2147483647, not "looms"'],
  ["1&article_id=2", "article_id must be given once, not 2 times"],
])("a report of the article %j is refused", async (id, sentence) => {
  expect(await report({ id })).toMatchObject({ status: 422, body: { error: sentence, status: 422 } });
});

test("a private community takes reports of its members only", async () => {
  await settings.set(world.db, "visibility", "private");
  expect((await report()).status).toBe(401);
  expect((await report({ key: await world.key(await world.user()) })).status).toBe(204);
  await settings.set(world.db, "visibility", "public");
});

test("reports count as reads of their address", async () => {
  await settings.set(world.db, "read_burst", "2");
  await settings.set(world.db, "read_rate", "1");
  await settings.set(world.db, "write_burst", "1");
  const first = await report({ address: "203.0.113.9" });
  expect(first.headers["ratelimit"]).toMatch(/^"reads"/);
  const statuses = [];
  for (let round = 0; round < 6; round++) statuses.push((await report({ address: "203.0.113.9" })).status);
  expect(statuses).toContain(429);
  expect((await report({ address: "203.0.113.10" })).status).toBe(204);
});

test("without EDGE_SECONDS pages are counted when they are sent, and nothing takes reports", async () => {
  const other = await startWorld();
  await other.article(await other.user({ username: "ada" }), { slug: "looms" });
  const { text } = await other.get("/ada/looms", { headers: { "user-agent": BROWSER } });
  expect(text).not.toContain("/views");
  expect(other.services.views.waiting).toBe(1);
  const { status } = await other.request({ method: "POST", url: "/views?article_id=1" });
  expect(status).toBe(405);
  await other.stop();
});
