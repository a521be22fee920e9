import { rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { feedHost, following, podcastFeed } from "../../../test/feeds.ts";
import { HERE, picturing, pngOf } from "../../../test/pictures.ts";
import * as subscriptions from "../podcasts/subscriptions.ts";
import { missing } from "./remote-pictures.ts";

const PICTURE = pngOf(700, 700);
const EPISODE = {
  type: "podcast_episode",
  podcast: "loomcast",
  slug: "one",
  title: "One",
  media_url: "https://media.example/1.mp3",
};

const there = feedHost();
const here = following();
const { later, fetchNow, importing, exported, files, sweep } = picturing(() => here.world);

beforeEach(async () => {
  here.world.setNow(new Date());
  await rm(join(here.world.context.config.dataDir, "files"), { recursive: true, force: true });
  there.put("/cover.png", { body: PICTURE });
  there.put("/other.png", { body: PICTURE });
});

const recordOf = (more: object = {}) => ({
  type: "podcast",
  slug: "loomcast",
  title: "Loomcast",
  image_url: there.at("/cover.png"),
  ...more,
});

/** Has the feed name this picture. */
const feedWith = (path: string, title = "Loomcast") =>
  there.put("/feed", {
    body: podcastFeed({
      title,
      more: `<itunes:image href="${there.at(path)}"/>`,
      items: [{ title: "One", media: EPISODE.media_url, guid: "1", date: "Mon, 02 Feb 2026 08:00:00 GMT" }],
    }),
  });

interface Listed {
  image_url: string;
  podcast: { title: string; image_url: string };
}

async function listed(): Promise<Listed[]> {
  return (await here.world.get("/api/podcast_episodes?username=loomcast")).body as Listed[];
}

const shown = async () => (await listed())[0]?.podcast.image_url ?? "";

describe("the picture of a podcast", () => {
  test("of a community file is fetched, made anew and shown from here, also for episodes without one", async () => {
    const own = { ...EPISODE, slug: "two", image_url: "https://loom.example/two.png" };
    await importing(recordOf(), EPISODE, own);
    expect(await shown()).toBe(there.at("/cover.png"));
    await fetchNow();
    expect(await shown()).toMatch(HERE);
    expect((await listed()).map(({ image_url }) => image_url)).toEqual([own.image_url, await shown()]);
    const file = await here.world.app.inject(new URL(await shown()).pathname);
    expect(await sharp(file.rawPayload).metadata()).toMatchObject({ width: 640, height: 640 });
    expect(await missing(here.world.db)).toEqual([]);
  });

  test("keeps its address in exports, which an import of it doesn't change", async () => {
    await importing(recordOf(), EPISODE);
    const before = await exported();
    expect(before).toContain(there.at("/cover.png"));
    await fetchNow();
    const [picture, kept] = [await shown(), await files()];
    expect(await exported()).toBe(before);
    expect(await importing(...before.trim().split("\n"))).toMatchObject({ created: 0, updated: 0, bad: [] });
    expect(await importing(recordOf({ title: "The Loomcast" }))).toMatchObject({ updated: 1 });
    await fetchNow();
    expect(await listed()).toMatchObject([{ podcast: { title: "The Loomcast", image_url: picture } }]);
    expect(await files()).toEqual(kept);
    expect(there.asked("/cover.png")).toHaveLength(1);
  });

  test("of a feed stays when the feed is read again, until the feed names another one", async () => {
    feedWith("/cover.png");
    await here.add(there.at("/feed"));
    await fetchNow();
    const picture = await shown();
    expect(picture).toMatch(HERE);
    for (const title of ["Loomcast", "The Loomcast"]) {
      feedWith("/cover.png", title);
      expect(await here.refreshLater()).toBe(1);
      await fetchNow();
      expect(await listed()).toMatchObject([{ image_url: picture, podcast: { title, image_url: picture } }]);
    }
    expect(there.asked("/feed")).toHaveLength(3);
    expect(there.asked("/cover.png")).toHaveLength(1);

    feedWith("/other.png");
    await here.refreshLater();
    expect(await shown()).toBe(there.at("/other.png"));
    await fetchNow();
    expect(await shown()).toMatch(HERE);
    expect(await shown()).not.toBe(picture);
    expect(await exported()).toContain(there.at("/other.png"));
    expect(there.asked("/other.png")).toHaveLength(1);
  });

  test("is kept by the sweep of files while it is shown, and goes with its podcast", async () => {
    feedWith("/cover.png");
    await here.add(there.at("/feed"));
    await fetchNow();
    const kept = await files();
    expect(kept).toHaveLength(4);
    await sweep();
    expect(await files()).toEqual(kept);
    await subscriptions.remove(here.world.db, "loomcast");
    await sweep();
    expect(await files()).toEqual([]);
    for (const table of ["remote_pictures", "fetches"] as const) {
      expect(await here.world.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test("isn't fetched when its podcast is gone, or is to have none", async () => {
    await importing(recordOf(), recordOf({ slug: "other-cast" }), EPISODE);
    await subscriptions.remove(here.world.db, "other-cast");
    await importing(recordOf({ image_url: "" }));
    later(1);
    await fetchNow();
    expect(there.asked()).toEqual([]);
    const image_url = expect.stringContaining("/assets/identicons/podcast-");
    expect(await listed()).toMatchObject([{ image_url, podcast: { image_url } }]);
  });

  test("that can't be had is given up in the end, and its address is shown", async () => {
    there.put("/cover.png", { status: 404 });
    await importing(recordOf(), EPISODE);
    for (let day = 0; day < 14; day += 1) {
      await fetchNow();
      // Longer than the longest pause.
      later(30);
    }
    expect(there.asked("/cover.png")).toHaveLength(12);
    expect(await missing(here.world.db)).toMatchObject([
      {
        kind: "podcast",
        username: "loomcast",
        url: there.at("/cover.png"),
        failure: "The other server responds with 404 instead of an image.",
        due_at: null,
      },
    ]);
    expect(await listed()).toMatchObject([
      { image_url: there.at("/cover.png"), podcast: { image_url: there.at("/cover.png") } },
    ]);
    expect(await files()).toEqual([]);
  });
});

test("of many pictures at once one is fetched at once, and the others within ten minutes", async () => {
  await importing(...["a", "b", "c", "d"].map((letter) => recordOf({ slug: `${letter}-cast` })));
  await fetchNow();
  const waiting = await missing(here.world.db);
  expect(waiting.length).toBeGreaterThan(0);
  expect(there.asked()).toHaveLength(4 - waiting.length);
  later(1 / 6);
  await fetchNow();
  expect(await missing(here.world.db)).toEqual([]);
  expect(there.asked()).toHaveLength(4);
});
