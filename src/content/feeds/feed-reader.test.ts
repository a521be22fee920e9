import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { feedFile } from "../../../test/feeds.ts";
import { FeedProblem } from "./feed.ts";
import { createFeedReader, type FeedReader } from "./feed-reader.ts";

const URL = "https://feeds.example/feed";

let reader: FeedReader;
afterEach(() => reader.close());

const readPodcast = () => reader.read(feedFile("podcast.xml"), "application/rss+xml", URL);

/** Elements that a parser must look at one by one. */
const rss = (inside: string) => Buffer.from(`<rss version="2.0"><channel>${inside}</channel></rss>`);
const HEAVY = rss("<item><title>a</title><x y='z'/></item>".repeat(120_000));

test("reads feeds in a thread, dates included", async () => {
  reader = createFeedReader();
  const feed = await readPodcast();
  expect(feed.items.map(({ durationSeconds }) => durationSeconds)).toEqual([3723, 3570, 3600, undefined]);
  expect(feed.items[0]?.publishedAt).toEqual(new Date("2026-01-02T05:00:00Z"));
});

test("says why a feed can't be read, and reads the next one", async () => {
  reader = createFeedReader();
  const problem = await reader.read(Buffer.from("<html>"), "text/html", URL).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(FeedProblem);
  expect((problem as Error).message).toBe("What is there is a web page, not a feed.");
  expect((await readPodcast()).title).toBe("Seeds & Soil");
});

test("a feed that takes too long costs only its thread", async () => {
  reader = createFeedReader({ deadlineMs: 300 });
  const slow = reader.read(HEAVY, undefined, URL);
  await expect(slow).rejects.toThrow(new FeedProblem("The feed takes too long to read."));
  // On a busy computer a small one may take as long.
  const readNext = () => readPodcast().catch((error: Error) => error);
  await expect.poll(readNext).toMatchObject({ title: "Seeds & Soil" });
});

test("a feed that takes too much memory costs only its thread", async () => {
  reader = createFeedReader({ deadlineMs: 60_000, heapMb: 64 });
  const hungry = reader.read(HEAVY, undefined, URL);
  const next = readPodcast();
  await expect(hungry).rejects.toThrow(new FeedProblem("The feed takes too much memory to read."));
  expect((await next).title).toBe("Seeds & Soil");
});

test("when it is closed, what waits is refused, and so is what comes later", async () => {
  reader = createFeedReader({ deadlineMs: 20_000 });
  const given = [reader.read(HEAVY, undefined, URL), readPodcast()];
  await reader.close();
  for (const each of [...given, readPodcast()])
    await expect(each).rejects.toMatchObject({ code: "unavailable" });
});

test("a reader without work keeps no process alive", async () => {
  reader = createFeedReader();
  const program = `
    import { createFeedReader } from ${JSON.stringify(join(import.meta.dirname, "feed-reader.ts"))};
    const feed = Buffer.from('<rss version="2.0"><channel><title>Quick</title></channel></rss>');
    console.log((await createFeedReader().read(feed, undefined, "https://feeds.example/")).title);`;
  const args = ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 25_000 });
  expect(stdout).toBe("Quick\n");
});
