import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { BEGINNING, feedHost, following, type Page, podcastFeed } from "../../../test/feeds.ts";

const there = feedHost();
const here = following();
const one = { title: "One", media: "https://media.example/1.mp3", guid: "1" };
const feed = podcastFeed({ items: [one] });

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "lol">${Array.from(
  { length: 20 },
  (_, n) => `<!ENTITY ${"b".repeat(n + 1)} "${`&${n === 0 ? "a" : "b".repeat(n)};`.repeat(10)}">`,
).join("")}]><rss version="2.0"><channel><title>&${"b".repeat(20)};</title></channel></rss>`;

/** A byte now and then, and never the end. */
const drip: Page = (_request, response) => {
  response.writeHead(200, { "content-type": "application/rss+xml" });
  const timer = setInterval(() => response.write(" "), 100);
  response.on("close", () => clearInterval(timer));
};

const HOSTILE: Record<string, Page> = {
  missing: { status: 404 },
  failing: { status: 503, body: "<b>secret</b>" },
  broken: { body: feed.slice(0, feed.length / 2) },
  page: { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Hello</title>" },
  empty: { body: "" },
  noise: { body: Buffer.from(Array.from({ length: 2_000 }, (_, n) => (n * 7919) % 256)) },
  other: { headers: { "content-type": "application/json" }, body: '{"hello": "there"}' },
  huge: { body: feed.replace("</channel>", `${" ".repeat(6_000_000)}</channel>`) },
  bomb: { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50_000_000, 32)) },
  packed: { headers: { "content-encoding": "gzip" }, body: "this is no gzip" },
  laughs: { body: LAUGHS },
  deep: { body: `<rss version="2.0"><channel>${"<a>".repeat(20_000)}` },
  loop: { status: 302, headers: { location: "/loop" } },
  away: { status: 302, headers: { location: "ftp://files.example/feed" } },
  cut: (request) => request.socket.destroy(),
  drip,
};

describe("in one round", () => {
  beforeEach(async () => {
    for (const [slug, page] of Object.entries(HOSTILE)) {
      there.put(`/${slug}`, page);
      await here.world.podcast({ slug: `a-${slug}`, feed_url: there.at(`/${slug}`) });
    }
    there.put("/feed", { body: feed });
    await here.world.podcast({ slug: "loomcast", feed_url: there.at("/feed") });
  });

  test("what can't be read ends in a reason each, and what can is read nevertheless", async () => {
    here.later(2);
    expect(await here.refresh()).toBe(Object.keys(HOSTILE).length + 1);
    expect(await here.titles()).toEqual(["One"]);
    for (const slug of Object.keys(HOSTILE)) {
      const { problem, succeeded_at, due_at, episodes } = await here.podcast(`a-${slug}`);
      expect([slug, problem]).toEqual([slug, expect.stringMatching(/^[A-Z0-9].*\.$/)]);
      expect(problem).not.toMatch(/secret|went wrong in Inkstone/);
      expect([succeeded_at, episodes]).toEqual([null, 0]);
      expect(due_at?.getTime()).toBeGreaterThan(here.world.context.now().getTime());
    }
    // Half an hour later none of them is asked again, and it takes longer from time to time.
    const before = there.asked().length;
    here.later(0.5);
    await here.refresh();
    expect(there.asked()).toHaveLength(before);
  });
});

test("a feed that can't be read is asked ever more seldom, and often again when it can", async () => {
  there.put("/feed", { body: feed });
  await here.add(there.at("/feed"));
  there.put("/feed", { status: 500 });
  const pauses: number[] = [];
  for (let round = 0; round < 7; round++) {
    await here.refreshLater();
    const { due_at } = await here.podcast();
    pauses.push(Math.round(((due_at?.getTime() ?? 0) - here.world.context.now().getTime()) / 3_600_000));
  }
  expect(pauses.slice(0, 3)).toEqual([1, 2, 4]);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(27);
  there.put("/feed", { body: feed });
  await here.refreshLater();
  expect(await here.podcast()).toMatchObject({ problem: null });
  here.later(1.2);
  expect(await here.refresh()).toBe(1);
});

test("what a feed says in another encoding is read as it is", async () => {
  const text = podcastFeed({ title: "Größe", items: [{ ...one, title: "Übung" }] });
  const latin = Buffer.from(text.replace("UTF-8", "ISO-8859-1"), "latin1");
  there.put("/feed", { body: latin });
  expect(await here.add(there.at("/feed"))).toMatchObject({ title: "Größe", slug: "grosse" });
  expect(await here.titles("grosse")).toEqual(["Übung"]);
});

test("what a feed can't say in its own encoding does no harm", async () => {
  there.put("/feed", { body: Buffer.from(podcastFeed({ items: [{ ...one, title: "Übung" }] }), "latin1") });
  await here.world.podcast({ slug: "loomcast", feed_url: there.at("/feed") });
  here.later(2);
  await here.refresh();
  const [title] = await here.titles();
  expect(title ?? (await here.podcast()).problem).toMatch(/^.bung$|\.$/);
});

test("notes lead where they led at home, and nowhere else", async () => {
  const html = `<p><a href="a?b=1&amp;c=&quot;2">a</a> <img src="/p.png" alt="p"> <a href="//x.example/">x</a>
    <a href="javascript:x()">j</a> <a href="mailto:a@b.example">m</a></p>`;
  const more = `<link>https://loom.example/notes/1</link><description><![CDATA[${html}]]></description>`;
  there.put("/feed", { body: podcastFeed({ items: [{ ...one, more }] }) });
  await here.add(there.at("/feed"));
  const { summary } = (await here.episodes())[0] ?? {};
  expect(summary).toContain(
    '<a href="https://loom.example/notes/a?b=1&amp;c=%222" rel="nofollow ugc noopener">',
  );
  expect(summary).toContain('src="https://loom.example/p.png"');
  expect(summary).toContain('<a href="https://x.example/" rel');
  expect(summary).toContain('<a href="mailto:a@b.example"');
  expect(summary).not.toContain("javascript");
});

test("notes are safe, and cut when they are a book", async () => {
  const book = "<![CDATA[".concat("<p><img src=x onerror=alert(1)>Word </p>".repeat(5_000), "]]>");
  there.put("/feed", {
    body: podcastFeed({ items: [{ ...one, more: `<description>${book}</description>` }] }),
  });
  await here.add(there.at("/feed"));
  const [episode] = await here.episodes();
  expect(episode?.summary).not.toContain("onerror");
  expect(episode?.summary?.length).toBeLessThan(40_000);
  expect(episode?.published_at).toEqual(BEGINNING);
});

test("of notes that are all markup only the beginning is shown", async () => {
  const more = ["<a href=x>", "&amp;"].map((piece) => `<![CDATA[a${piece.repeat(3_000)}]]>`);
  const items = more.map((notes, index) => ({
    ...one,
    media: `https://media.example/${index}.mp3`,
    guid: `${index}`,
    more: `<description>${notes}</description>`,
  }));
  there.put("/feed", { body: podcastFeed({ items }) });
  await here.add(there.at("/feed"));
  const counts = (await here.episodes()).map(({ summary }) => summary?.match(/<a |&amp;/g)?.length ?? 0);
  expect(counts).toHaveLength(2);
  for (const count of counts) {
    expect(count).toBeGreaterThan(90);
    expect(count).toBeLessThanOrEqual(1_000);
  }
});
