import { Agent } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { exchange, type Exchanged } from "../../test/net.ts";
import { clockForEach, until } from "../../test/waiting.ts";
import { type SearchParameters, searchUrl } from "../../test/searching.ts";
import { startWorld, type World, type WorldOptions } from "../../test/world.ts";
import * as vocabulary from "../search/vocabulary.ts";
import * as settings from "../platform/settings/settings.ts";

const clock = clockForEach();
const NOW = new Date("2026-11-24T12:00:00Z");
const ada = { username: "ada" };

let world: World;
let agent: Agent;
let port: number;
/** How many requests have come as far as Fastify. */
let passed: number;

async function start(options: WorldOptions = {}): Promise<void> {
  passed = 0;
  agent = new Agent({ keepAlive: true });
  world = await startWorld({ now: NOW, onRequest: () => void passed++, ...options });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
  await world.user(ada);
  const published_at = "2026-11-20T00:00:00Z";
  for (let number = 1; number <= 5; number++) {
    const body_markdown = `Water them. ${"Every day is a good day. ".repeat(20)}`;
    await world.article(ada, { title: `Tomatoes ${number}`, body_markdown, published_at, tags: ["garden"] });
  }
  await world.article(ada, { title: "Basil alone", published_at });
  await vocabulary.addUpChanges(world.db);
  const { searchMemory, cache } = world.services;
  await until(async () => {
    await world.forget();
    return (await searchMemory.current(world.db, cache)).isWhole;
  });
}

async function stop(): Promise<void> {
  agent.destroy();
  await world.stop();
}

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  exchange({ port, agent, path, headers, method });

/** Catches up with the last writes, so that the next search needs nothing else. */
async function freshen(): Promise<void> {
  await world.forget();
  await ask(`${searchUrl({ q: "basil" })}&unknown=1`);
}

/** By Fastify, which takes all that has a parameter it doesn't know, and by memory if that is enough. */
async function bothWays(
  parameters: SearchParameters,
  headers: Record<string, string> = {},
): Promise<{ byFastify: Exchanged; other: Exchanged; isAtHand: boolean }> {
  await freshen();
  const byFastify = await ask(`${searchUrl(parameters)}&unknown=1`, headers);
  await freshen();
  const before = passed;
  const other = await ask(searchUrl(parameters), headers);
  return { byFastify, other, isAtHand: passed === before };
}

const comparable = ({ status, headers, body }: Exchanged) => ({
  status,
  headers: { ...headers, date: "any", "x-request-id": "any", warning: "any" },
  body: body.toString("base64"),
});

const linked = ({ headers }: Exchanged, relation: string) =>
  new URL(new RegExp(`<([^>]+)>; rel="${relation}"`).exec(String(headers["link"]))?.[1] ?? "about:blank");

describe("a stranger's search", () => {
  beforeAll(() => start());
  afterAll(stop);

  test.each<[string, SearchParameters, Record<string, string>]>([
    ["of one word", { q: "tomatoes" }, {}],
    ["of nothing", { q: "xylophone" }, {}],
    ["of a word misspelt", { q: "tomatos" }, {}],
    ["of words that no article has all of", { q: "tomatoes nowhere" }, {}],
    ["of a question", { q: "how do I water tomatoes every day?" }, {}],
    ["of a beginning", { q: "toma" }, {}],
    ["of a phrase", { q: '"good day"' }, {}],
    ["of a part", { q: "tomatoes", per_page: 2 }, {}],
    ["of the most popular", { q: "tomatoes", top: 30, per_page: 2 }, {}],
    ["of nothing popular", { q: "tomatoes", top: 1 }, {}],
    ["of signs that need quoting in a link", { q: `tomatoes & "good day" é%`, per_page: 2 }, {}],
    ["of what a client has in this version", { q: "tomatoes" }, { "if-none-match": "*" }],
    ["of what a client has in another version", { q: "tomatoes" }, { "if-none-match": '"other"' }],
    ["by a client that takes plain JSON", { q: "tomatoes" }, { accept: "application/json" }],
    [
      "by a client written for Forem",
      { q: "tomatoes", page: 1, per_page: 2 },
      { accept: "application/vnd.forem.api-v1+json" },
    ],
    ["by a client that packs", { q: "tomatoes" }, { "accept-encoding": "br" }],
  ])("a search %s is answered out of memory as by Fastify", async (_name, parameters, headers) => {
    const { byFastify, other, isAtHand } = await bothWays(parameters, headers);
    expect(comparable(other)).toEqual(comparable(byFastify));
    expect(isAtHand).toBe(true);
  });

  test("pages behind a cursor and by number are answered out of memory as by Fastify", async () => {
    const { other: first } = await bothWays({ q: "tomatoes", per_page: 2 });
    const next = linked(first, "next").searchParams;
    const cursor = next.get("cursor") ?? "";
    const behind = await bothWays({ q: "tomatoes", per_page: 2, cursor });
    expect([behind.isAtHand, comparable(behind.other)]).toEqual([true, comparable(behind.byFastify)]);
    expect(JSON.parse(behind.other.body.toString())).toHaveLength(2);
    await freshen();
    // It reads the number of all articles.
    await ask(searchUrl({ q: "tomatoes", page: 1, per_page: 2 }));
    const before = passed;
    const second = await ask(searchUrl({ q: "tomatoes", page: 1, per_page: 3 }));
    expect(passed).toBe(before);
    const { byFastify } = await bothWays({ q: "tomatoes", page: 1, per_page: 3 });
    expect(comparable(second)).toEqual(comparable(byFastify));
  });

  test.each<[string, string]>([
    ["of a single article, with its body", "q=basil"],
    ["in a tag", "q=tomatoes&tag=garden"],
    ["with an exclusion", "q=tomatoes+-basil"],
    ["without words", "per_page=2"],
    ["with an invalid number", "q=tomatoes&per_page=1000"],
    ["with a word twice", "q=tomatoes&q=basil"],
    ["behind another cursor", "q=tomatoes&cursor=WyJob3RuZXNzIl0"],
    ["with a parameter that is nearly one", "q=tomatoes&perpage=2"],
  ])("a search %s goes on to the other hooks", async (_name, query) => {
    await freshen();
    const before = passed;
    const one = await ask(`/api/articles/search?${query}`);
    expect(passed).toBe(before + 1);
    await world.forget();
    const again = await ask(`/api/articles/search?${query}&unknown=1`);
    expect(comparable(one)).toEqual(comparable(again));
  });

  test("other methods, and readers with a key, go on to the other hooks", async () => {
    await bothWays({ q: "tomatoes" });
    const key = await world.key(await world.user());
    await freshen();
    const before = passed;
    const head = await ask(searchUrl({ q: "tomatoes" }), {}, "HEAD");
    const own = await ask(searchUrl({ q: "tomatoes" }), { "api-key": key });
    expect([head.status, own.status, passed]).toEqual([200, 200, before + 2]);
    const { other } = await bothWays({ q: "tomatoes" });
    expect({ ...comparable(head), body: "" }).toEqual({ ...comparable(other), body: "" });
  });

  const titlesOf = ({ body }: Exchanged) =>
    (JSON.parse(body.toString()) as { title: string }[]).map(({ title }) => title);

  test("a write is found at once, and what was taken back is not", async () => {
    const { other } = await bothWays({ q: "tomatoes" });
    expect(titlesOf(other)).toHaveLength(5);
    const written = await world.article(ada, { title: "Tomatoes today" });
    expect(titlesOf(await ask(searchUrl({ q: "tomatoes" })))).toContain("Tomatoes today");
    const { other: after, isAtHand } = await bothWays({ q: "tomatoes" });
    expect([isAtHand, titlesOf(after)]).toEqual([true, expect.arrayContaining(["Tomatoes today"])]);
    const key = await world.key(await world.db.selectFrom("users").selectAll().executeTakeFirstOrThrow());
    const unpublished = await world.request({
      method: "PUT",
      url: `/api/articles/${written.id}`,
      key,
      body: { article: { published: false } },
    });
    expect(unpublished.status).toBe(200);
    expect(titlesOf(await ask(searchUrl({ q: "tomatoes" })))).not.toContain("Tomatoes today");
    const { other: last } = await bothWays({ q: "tomatoes" });
    expect(titlesOf(last)).toHaveLength(5);
  });

  test("what another process writes is found within a second", async () => {
    await bothWays({ q: "tomatoes" });
    const before = passed;
    await ask(searchUrl({ q: "water" }));
    expect(passed).toBe(before);
    clock.pass(1_000);
    await ask(searchUrl({ q: "every" }));
    expect(passed).toBe(before + 1);
  });

  test("summaries that are not in memory are read by Fastify", async () => {
    for (const title of ["Chives before", "Chives behind"]) await world.article(ada, { title });
    await freshen();
    const before = passed;
    const first = await ask(searchUrl({ q: "chives" }));
    expect([passed, titlesOf(first).length]).toEqual([before + 1, 2]);
    const { byFastify, other, isAtHand } = await bothWays({ q: "chives" });
    expect([isAtHand, comparable(other)]).toEqual([true, comparable(byFastify)]);
    expect(comparable(first)).toEqual(comparable(other));
  });

  test("strangers find nothing in a private community", async () => {
    await bothWays({ q: "tomatoes" });
    await settings.set(world.db, "visibility", "private");
    expect((await ask(searchUrl({ q: "tomatoes" }))).status).toBe(401);
    await ask("/api/instance");
    expect((await ask(searchUrl({ q: "water" }))).status).toBe(401);
    await settings.set(world.db, "visibility", "public");
  });

  test("searches that come in one packet are answered in turn", async () => {
    await bothWays({ q: "tomatoes" });
    const socket = connect(port, "127.0.0.1");
    const line = (query: string) => `GET /api/articles/search?${query} HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(line("q=water") + line("q=basil") + line("q=every") + line("q=water+-basil"));
    let text = "";
    socket.on("data", (part) => (text += String(part)));
    await until(() => text.split("HTTP/1.1 200").length === 5);
    const bodies = text.split("\r\n\r\n").slice(1);
    expect(bodies.map((body) => body.includes("Basil alone"))).toEqual([false, true, false, false]);
    socket.destroy();
  });
});

describe("a server that answers searches out of memory", () => {
  afterEach(stop);

  test("a search counts once against the limit of its address, wherever it is answered", async () => {
    await start({ rateLimits: true, settings: { read_burst: "9", read_rate: "1" } });
    const remaining = async (query: string) =>
      (await ask(`/api/articles/search?${query}`)).headers["x-ratelimit-remaining"];
    const before = passed;
    expect(await remaining("q=tomatoes")).toBe("8");
    expect(await remaining("q=water")).toBe("7");
    expect(await remaining("q=basil")).toBe("6");
    expect(await remaining("q=tomatoes&tag=garden")).toBe("5");
    expect(await remaining("q=tomatoes&per_page=none")).toBe("4");
    expect(await remaining("q=every")).toBe("3");
    expect(passed).toBe(before + 4);
    for (let left = 3; left > 0; left--) await remaining(`q=good&per_page=${left}`);
    const refused = await ask(searchUrl({ q: "day" }));
    expect([refused.status, refused.headers["x-ratelimit-remaining"]]).toEqual([429, "0"]);
  });

  test("searches out of memory are counted and logged like all others", async () => {
    const lines: Record<string, unknown>[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((line) => {
      lines.push(JSON.parse(String(line)) as Record<string, unknown>);
      return true;
    });
    await start({ config: { logLevel: "info" } });
    await bothWays({ q: "tomatoes" });
    await freshen();
    await ask("/api/articles/search?q=tomatoes&unknown=1", { "x-request-id": "the-first-one" });
    const before = passed;
    await ask(searchUrl({ q: "water" }), { "x-request-id": "the-other-one" });
    expect(passed).toBe(before);
    write.mockRestore();
    const of = (reqId: string) => lines.filter((line) => line["reqId"] === reqId).at(-1);
    const fixed = { time: "any", ms: "any", reqId: "any" };
    expect({ ...of("the-other-one"), ...fixed }).toEqual({ ...of("the-first-one"), ...fixed });
    const text = await world.services.metrics.text(undefined);
    const counted = /inkstone_http_requests_total\{operation="getArticles",status="200"\} (\d+)/.exec(text);
    expect(Number(counted?.[1])).toBe(passed + 2);
  });
});
