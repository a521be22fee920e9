import { beforeEach, expect, test } from "vitest";
import { feedHost, following, podcastFeed } from "../../../test/feeds.ts";
import * as subscriptions from "./subscriptions.ts";

const there = feedHost();
const here = following();
const one = { title: "One", media: "https://media.example/1.mp3", guid: "1" };
const two = { title: "Two", media: "https://media.example/2.mp3", guid: "2" };
const redirect = (status: number, path: string) => ({ status, headers: { location: there.at(path) } });

beforeEach(async () => {
  there.put("/feed", { body: podcastFeed({ items: [one] }) });
  await here.add(there.at("/feed"));
  there.put("/new", { body: podcastFeed({ items: [two, one] }) });
});

test.each([301, 308])(
  "a feed that has moved for good (%i) is read where it is from then on",
  async (status) => {
    there.put("/feed", redirect(status, "/between"));
    there.put("/between", redirect(301, "/new"));
    await here.refreshLater();
    expect(await here.podcast()).toMatchObject({ feed_url: there.at("/new"), episodes: 2, problem: null });
    there.put("/feed", { status: 404 });
    await here.refreshLater();
    expect(await here.podcast()).toMatchObject({ problem: null });
  },
);

test.each([
  [302, 301],
  [301, 307],
])(
  "one that has moved for a while (%i, %i) is read there, and asked for where it was",
  async (first, second) => {
    there.put("/feed", redirect(first, "/between"));
    there.put("/between", redirect(second, "/new"));
    await here.refreshLater();
    expect(await here.podcast()).toMatchObject({ feed_url: there.at("/feed"), episodes: 2 });
  },
);

test("one that was read and has only moved since is read at its new address from then on", async () => {
  there.put("/feed", { headers: { etag: '"v1"' }, body: podcastFeed({ items: [one] }) });
  await here.refreshLater();
  there.put("/feed", redirect(301, "/new"));
  there.put("/new", { status: 304 });
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({ feed_url: there.at("/new"), episodes: 1, problem: null });
});

test("one that has moved to another podcast's feed stays where it was, and says so", async () => {
  there.put("/theirs", { body: podcastFeed({ title: "Weavecast", items: [{ ...two, title: "Theirs" }] }) });
  await here.add(there.at("/theirs"));
  there.put("/feed", redirect(301, "/theirs"));
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({
    title: "Loomcast",
    feed_url: there.at("/feed"),
    episodes: 1,
    problem: "The feed has moved to the one of the podcast weavecast.",
  });
});

test("another feed is no new address of one", async () => {
  there.put("/feed", redirect(301, "/other"));
  there.put("/other", { body: podcastFeed({ title: "Other", items: [{ ...two, title: "Theirs" }] }) });
  await here.refreshLater();
  const asItWas = { title: "Loomcast", feed_url: there.at("/feed"), episodes: 1 };
  const problem = "The feed's address leads to another feed by now.";
  expect(await here.podcast()).toMatchObject({ ...asItWas, problem });
});

test("another feed isn't either when it says that nothing has changed since a date", async () => {
  const headers = { "last-modified": "Mon, 02 Feb 2026 08:00:00 GMT" };
  there.put("/feed", { headers, body: podcastFeed({ items: [one] }) });
  await here.refreshLater();
  there.put("/feed", redirect(301, "/other"));
  const other = podcastFeed({ title: "Other", items: [{ ...two, title: "Theirs" }] });
  there.put("/other", (request, response) => {
    const isDated = request.headers["if-modified-since"] !== undefined;
    response.writeHead(isDated ? 304 : 200).end(isDated ? undefined : other);
  });
  for (let round = 0; round < 2; round++) await here.refreshLater();
  expect(await here.podcast()).toMatchObject({ title: "Loomcast", feed_url: there.at("/feed"), episodes: 1 });
});

test("one that has another title at its new address is known by its episodes", async () => {
  there.put("/feed", redirect(301, "/new"));
  there.put("/new", { body: podcastFeed({ title: "The Loomcast", items: [two, one] }) });
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({
    title: "The Loomcast",
    feed_url: there.at("/new"),
    problem: null,
  });
});

test("what isn't a feed is no new address of one", async () => {
  there.put("/feed", redirect(301, "/parked"));
  there.put("/parked", { headers: { "content-type": "text/html" }, body: "<p>This domain is for sale" });
  await here.refreshLater();
  const { feed_url, problem } = await here.podcast();
  expect(feed_url).toBe(there.at("/feed"));
  expect(problem).not.toBeNull();
});

test("more than three redirects are not followed", async () => {
  for (const n of [0, 1, 2, 3]) there.put(n === 0 ? "/feed" : `/${n}`, redirect(301, `/${n + 1}`));
  await here.refreshLater();
  expect((await here.podcast()).problem).toContain("more than 3 redirects");
  expect(there.asked("/4")).toEqual([]);
});

const movedTo = (path: string) => `<itunes:new-feed-url>${there.at(path)}</itunes:new-feed-url>`;

test("a feed that names its new address is read there when it is there", async () => {
  there.put("/feed", { body: podcastFeed({ items: [one], more: movedTo("/new") }) });
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({ feed_url: there.at("/new"), episodes: 2, problem: null });
});

test.each([
  ["nothing is", { status: 404 }],
  ["a page is", { body: "<!doctype html><p>Hello" }],
  ["another podcast is", { body: podcastFeed({ title: "Other", items: [{ ...two, title: "Theirs" }] }) }],
])("and where it was when %s there", async (_what, page) => {
  there.put("/feed", { body: podcastFeed({ items: [one], more: movedTo("/new") }) });
  there.put("/new", page);
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({ feed_url: there.at("/feed"), episodes: 1, problem: null });
});

test("a feed that is gone is asked for no more, until an operator asks", async () => {
  there.put("/feed", { status: 410 });
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({
    problem: "The feed is gone for good: its host responds with 410.",
    due_at: null,
  });
  expect(await here.titles()).toEqual(["One"]);
  const before = there.asked().length;
  expect(await here.refreshLater()).toBe(0);
  expect(there.asked()).toHaveLength(before);

  there.put("/feed", { body: podcastFeed({ items: [two, one] }) });
  const { db, services, context } = here.world;
  await subscriptions.refresh({ db, outside: services, now: context.now }, "loomcast");
  expect(await here.podcast()).toMatchObject({ problem: null, episodes: 2, due_at: expect.any(Date) });
});
