import { beforeEach, describe, expect, test } from "vitest";
import { BEGINNING, feedHost, following, podcastFeed } from "../../../test/feeds.ts";
import { netFor } from "../../../test/net.ts";
import { checkDue } from "./media-checks.ts";

const there = feedHost();
const here = following();
const item = (n: number, date = BEGINNING) => ({
  title: `Episode ${n}`,
  media: there.at(`/${n}.mp3`),
  guid: `${n}`,
  date: date.toUTCString(),
});
const methods = (path: string) => there.asked(path).map(({ method }) => method);
const checkLater = async (times = 1) => {
  for (let round = 0; round < times; round++) {
    // Longer than a day may be.
    here.later(27);
    await here.check();
  }
};

beforeEach(async () => {
  there.put("/feed", { body: podcastFeed({ items: [item(2), item(1)] }) });
  there.put("/1.mp3", { body: "sound" });
  there.put("/2.mp3", { body: "sound" });
  await here.add(there.at("/feed"));
});

describe("a recording", () => {
  test("is looked for within the hour, and then every day", async () => {
    here.later(1);
    expect(await here.check()).toBe(2);
    expect(await here.check()).toBe(0);
    expect(methods("/1.mp3")).toEqual(["HEAD"]);
    here.later(20);
    expect(await here.check()).toBe(0);
    here.later(8);
    expect(await here.check()).toBe(2);
  });

  test("is looked for every week when it is old", async () => {
    there.put("/old.mp3", {});
    const old = { ...item(3, new Date("2020-01-01T00:00:00Z")), media: there.at("/old.mp3") };
    there.put("/feed", { body: podcastFeed({ items: [old] }) });
    await here.refreshLater();
    for (let day = 0; day < 6; day++) await checkLater();
    expect(methods("/old.mp3")).toEqual(["HEAD"]);
    await checkLater(3);
    expect(methods("/old.mp3")).toEqual(["HEAD", "HEAD"]);
  });

  test.each([403, 404, 405, 501])(
    "is asked for when its host answers %i for its head alone",
    async (status) => {
      there.put("/1.mp3", (request, response) => {
        response.writeHead(request.method === "HEAD" ? status : 206);
        response.end("sound");
      });
      await checkLater(5);
      expect(methods("/1.mp3").slice(0, 2)).toEqual(["HEAD", "GET"]);
      expect(there.asked("/1.mp3")[1]?.headers["range"]).toBe("bytes=0-1023");
      expect(await here.titles()).toEqual(["Episode 2", "Episode 1"]);
    },
  );

  test("is not read to its end, if it has any", async () => {
    there.put("/1.mp3", (request, response) => {
      response.writeHead(request.method === "HEAD" ? 405 : 200);
      if (request.method === "HEAD") {
        response.end();
        return;
      }
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", write);
      write();
    });
    await checkLater(5);
    expect(await here.titles()).toEqual(["Episode 2", "Episode 1"]);
  });

  test("is in no list after failures in a row, not after one of them, and again after one success", async () => {
    there.put("/2.mp3", { status: 404 });
    await checkLater(3);
    expect(await here.titles()).toEqual(["Episode 2", "Episode 1"]);
    await checkLater();
    expect(await here.titles()).toEqual(["Episode 1"]);
    there.put("/1.mp3", (request) => request.socket.destroy());
    await checkLater(4);
    expect((await here.world.get("/api/podcast_episodes?username=loomcast")).status).toBe(404);
    there.put("/2.mp3", { body: "sound" });
    await checkLater(2);
    expect(await here.titles()).toEqual(["Episode 2"]);
  });

  test("that fails now and then stays in the list", async () => {
    for (let round = 0; round < 3; round++) {
      there.put("/2.mp3", { status: 500 });
      await checkLater(3);
      there.put("/2.mp3", { body: "sound" });
      await checkLater(2);
    }
    expect(await here.titles()).toEqual(["Episode 2", "Episode 1"]);
  });

  test("counts as reachable when the feed has it elsewhere", async () => {
    there.put("/2.mp3", { status: 404 });
    await checkLater(4);
    there.put("/feed", { body: podcastFeed({ items: [{ ...item(2), media: there.at("/moved.mp3") }] }) });
    here.later(2);
    await here.refresh();
    expect(await here.titles()).toEqual(["Episode 2", "Episode 1"]);
    here.later(1);
    await here.check();
    expect(methods("/moved.mp3")).toEqual(["HEAD", "GET"]);
  });
});

test("a recording that this server may not request counts as unreachable only when no server could", async () => {
  const elsewhere = { "episode-1": "http://127.0.0.1/1.mp3", "episode-2": "http://media.example:8000/2.mp3" };
  for (const [slug, media_url] of Object.entries(elsewhere)) {
    await here.world.db.updateTable("podcast_episodes").set({ media_url }).where("slug", "=", slug).execute();
  }
  const { db, context } = here.world;
  const net = netFor({ allowPrivateNetwork: false });
  for (let round = 0; round < 6; round++) {
    here.later(27);
    await checkDue({ db, net, now: context.now });
  }
  await net.close();
  expect(await here.titles()).toEqual(["Episode 2"]);
});

test("recordings of a podcast without a feed are left alone", async () => {
  await here.world.podcast({ slug: "fileborne" });
  await here.world.episode("fileborne", { media_url: there.at("/alone.mp3") });
  await checkLater(2);
  expect(there.asked("/alone.mp3")).toEqual([]);
  await here.world.podcast({ slug: "fileborne", feed_url: there.at("/feed") });
  await checkLater();
  expect(methods("/alone.mp3")).toEqual(["HEAD", "GET"]);
  await here.world.podcast({ slug: "fileborne", feed_url: "" });
  await checkLater(3);
  expect(there.asked("/alone.mp3")).toHaveLength(2);
});

test("no recording is lost when nothing at all can be reached from here", async () => {
  const { db, context } = here.world;
  const items = [2, 1].map((n) => ({ ...item(n), media: `http://media.example/${n}.mp3` }));
  there.put("/feed", { body: podcastFeed({ items }) });
  await here.refreshLater();
  const net = netFor({ resolve: () => Promise.reject(Object.assign(new Error(), { code: "EAI_AGAIN" })) });
  const check = async () => {
    here.later(27);
    await checkDue({ db, net, now: context.now });
  };
  for (let round = 0; round < 6; round++) await check();
  expect(await here.titles()).toEqual(["Episode 2", "Episode 1"]);
  const counted = () => db.selectFrom("fetches").select("failures").where("kind", "=", "episode").execute();
  expect(await counted()).toEqual([{ failures: 0 }, { failures: 0 }]);
  // The feed's host can.
  for (let round = 0; round < 4; round++) {
    here.later(27);
    await here.refresh();
    await checkDue({ db, net, now: context.now });
  }
  await net.close();
  expect(await here.titles()).toEqual([]);
});
