import { describe, expect, test } from "vitest";
import { BEGINNING, feedHost, following, podcastFeed } from "../../../test/feeds.ts";

const there = feedHost();
const here = following();
const feed = (items: NonNullable<Parameters<typeof podcastFeed>[0]>["items"], more?: object) =>
  there.put("/feed", { body: podcastFeed({ items: items ?? [], ...more }) });

const one = {
  title: "One",
  media: "https://media.example/1.mp3",
  guid: "1",
  date: "Mon, 02 Feb 2026 08:00:00 GMT",
};
const two = {
  title: "Two",
  media: "https://media.example/2.mp3",
  guid: "2",
  date: "Mon, 09 Feb 2026 08:00:00 GMT",
};

describe("the feed of a podcast", () => {
  test("is read every hour, and what it says of podcast and episodes is shown", async () => {
    feed([one]);
    await here.add(there.at("/feed"));
    expect(await here.refresh()).toBe(0);
    const more = `<description>Of &lt;b&gt;looms&lt;/b&gt; &amp;amp; yarn</description><link>https://loom.example/</link>
      <itunes:image href="https://loom.example/cover.png"/>`;
    const notes = `<description><![CDATA[<p onclick="x()">The <b>weft</b></p><script>x()</script>]]></description>
      <itunes:duration>1:02:03</itunes:duration><itunes:image href="https://loom.example/2.png"/>`;
    feed(
      [
        { ...two, more: notes },
        { ...one, title: "One, again" },
      ],
      { title: "The Loomcast", more },
    );
    here.later(2);
    expect(await here.refresh()).toBe(1);
    expect(await here.refresh()).toBe(0);
    expect((await here.world.get("/api/podcast_episodes?username=loomcast")).body).toMatchObject([
      { title: "Two", path: "/loomcast/two", image_url: "https://loom.example/2.png" },
      {
        title: "One, again",
        path: "/loomcast/one",
        image_url: "https://loom.example/cover.png",
        podcast: { title: "The Loomcast" },
      },
    ]);
    expect((await here.episodes())[0]).toMatchObject({
      summary: "<p>The <b>weft</b></p>",
      duration_seconds: 3723,
      published_at: new Date("2026-02-09T08:00:00Z"),
    });
    const podcast = await here.world.db.selectFrom("podcasts").selectAll().executeTakeFirstOrThrow();
    expect(podcast).toMatchObject({ description: "Of looms & yarn", website_url: "https://loom.example/" });
  });

  test("is asked for by what its host said of it, and isn't read when it is as it was", async () => {
    const marks = { etag: '"v1"', "last-modified": "Mon, 02 Mar 2026 08:00:00 GMT" };
    there.put("/feed", { headers: marks, body: podcastFeed({ items: [one] }) });
    await here.add(there.at("/feed"));
    there.put("/feed", { status: 304 });
    for (const round of [1, 2, 3]) {
      here.later(2);
      await here.refresh();
      expect(there.asked()).toHaveLength(1 + round);
      expect(there.asked().at(-1)?.headers).toMatchObject({
        "if-none-match": '"v1"',
        "if-modified-since": "Mon, 02 Mar 2026 08:00:00 GMT",
      });
    }
    expect(await here.podcast()).toMatchObject({ problem: null, succeeded_at: here.world.context.now() });
    expect(await here.titles()).toEqual(["One"]);
  });

  test("may answer 304 only to who asked for what is new", async () => {
    feed([one]);
    await here.add(there.at("/feed"));
    there.put("/feed", { status: 304 });
    await here.refreshLater();
    expect((await here.podcast()).problem).toBe("The host responds with 304 instead of a feed.");
  });

  test("keeps what it leaves out, and the episodes that it has no more", async () => {
    feed([{ ...two, more: "<description>The weft</description>" }, one], {
      more: "<description>Of looms</description>",
    });
    await here.add(there.at("/feed"));
    feed([two]);
    await here.refreshLater();
    expect(await here.titles()).toEqual(["Two", "One"]);
    expect((await here.episodes())[0]).toMatchObject({ summary: "The weft" });
    feed([two], { title: "" });
    await here.refreshLater();
    expect(await here.titles()).toEqual(["Two", "One"]);
    expect(await here.podcast()).toMatchObject({ title: "Loomcast", problem: null });
  });
});

describe("an episode", () => {
  test("stays one however often the feed names it otherwise", async () => {
    feed([two, one]);
    await here.add(there.at("/feed"));
    let names = { guid: "2", media: two.media };
    for (let round = 0; round < 100; round++) {
      const other = { guid: `new-${round}`, media: `https://media.example/new-${round}.mp3` };
      const changes = [{ guid: other.guid }, { media: other.media }, other];
      names = { ...names, ...changes[round % 3] };
      // A new title is one change too many for a recording that has another name and place.
      const title = round % 3 === 2 ? {} : { title: `Two ${round}` };
      feed([
        { ...two, title: `Two ${round - 1}`, ...title, ...names },
        { ...one, guid: `one-${round}` },
      ]);
      await here.refreshLater();
    }
    expect(await here.titles()).toEqual(["Two 99", "One"]);
    expect((await here.episodes()).map(({ slug }) => slug)).toEqual(["two", "one"]);
  });

  test("stays one when it has neither name nor date and its address is signed anew each time", async () => {
    const signed = (round: number) =>
      ["a", "b"].map((path, index) => ({
        title: index === 0 ? "Weaving" : "Spinning",
        media: `https://media.example/${path}/1.mp3?token=${round}`,
      }));
    feed(signed(0));
    await here.add(there.at("/feed"));
    const before = (await here.episodes()).map(({ id }) => id);
    for (const round of [1, 2, 3]) {
      feed(signed(round));
      await here.refreshLater();
    }
    expect(await here.episodes()).toMatchObject([
      { id: before[0], media_url: "https://media.example/a/1.mp3?token=3" },
      { id: before[1], media_url: "https://media.example/b/1.mp3?token=3" },
    ]);
  });

  test("differs from others whose address differs in its query alone", async () => {
    const numbered = (...numbers: number[]) =>
      numbers.map((n) => ({ title: `Part ${n % 2}`, media: `https://media.example/play?id=${n}` }));
    feed(numbered(1));
    await here.add(there.at("/feed"));
    for (const numbers of [[2], [4, 3], [4]]) {
      feed(numbered(...numbers));
      await here.refreshLater();
    }
    const addresses = (await here.episodes()).map(({ media_url }) => new URL(media_url).search);
    expect(addresses.toSorted()).toEqual(["?id=1", "?id=2", "?id=3", "?id=4"]);
  });

  test("is the same at another host when title and date are", async () => {
    feed([two, one]);
    await here.add(there.at("/feed"));
    const before = (await here.episodes()).map(({ id }) => id);
    const moved = [two, one].map((item) => ({
      ...item,
      guid: `x${item.guid}`,
      media: `${item.media}?at=elsewhere`,
    }));
    feed(moved);
    await here.refreshLater();
    expect(await here.episodes()).toMatchObject([
      { id: before[0], guid: "x2", media_url: "https://media.example/2.mp3?at=elsewhere" },
      { id: before[1], guid: "x1" },
    ]);
  });

  test("differs from others of the same title, guid or date", async () => {
    const items = [1, 2, 3].map((n) => ({
      ...one,
      title: "Weaving",
      media: `https://media.example/w${n}.mp3`,
      guid: "same",
    }));
    feed(items);
    await here.add(there.at("/feed"));
    await here.refreshLater();
    expect((await here.episodes()).map(({ slug }) => slug)).toEqual(["weaving", "weaving-2", "weaving-3"]);
    feed([...items, { ...items[0], media: "https://media.example/w1.mp3", title: "The same recording" }]);
    await here.refreshLater();
    expect(await here.episodes()).toHaveLength(3);
  });

  test("is of the time of the fetch when its date is to come, missing or broken", async () => {
    const undated = { title: "Undated", media: "https://media.example/u.mp3" };
    const broken = {
      ...undated,
      title: "Broken",
      media: "https://media.example/b.mp3",
      date: "the day before yesterday",
    };
    const future = {
      ...undated,
      title: "To come",
      media: "https://media.example/f.mp3",
      date: "Fri, 01 Jan 2100 00:00:00 GMT",
    };
    feed([undated, broken, future, one]);
    await here.add(there.at("/feed"));
    expect(await here.titles()).toEqual(["Undated", "Broken", "To come", "One"]);
    for (let round = 0; round < 2; round++) {
      const dates = (await here.episodes()).map(({ published_at }) => published_at);
      expect(dates).toEqual([BEGINNING, BEGINNING, BEGINNING, new Date("2026-02-02T08:00:00Z")]);
      await here.refreshLater();
    }
  });

  test("has no more than a title, where a feed gives none the name of its file, and an address that is safe", async () => {
    feed([
      { media: "https://media.example/a/the%20weft.mp3" },
      { title: " \n ", media: "https://media.example/", guid: "g".repeat(501) },
      { title: "x".repeat(400), media: "https://media.example/long.mp3" },
      { title: "No recording" },
      { title: "Script", media: "javascript:alert(1)" },
      { title: "File", media: "file:///etc/passwd" },
    ]);
    await here.add(there.at("/feed"));
    expect(await here.titles()).toEqual(["the%20weft.mp3", "Episode", "x".repeat(300)]);
  });
});

test("of many new episodes the newest hundred come first, and the rest by and by", async () => {
  const items = Array.from({ length: 250 }, (_, n) => ({
    title: `Episode ${n}`,
    media: `https://media.example/${n}.mp3`,
    guid: `${n}`,
    date: new Date(Date.UTC(2025, 0, n + 1)).toUTCString(),
  }));
  there.put("/feed", { headers: { etag: '"v1"' }, body: podcastFeed({ items }) });
  expect(await here.add(there.at("/feed"))).toMatchObject({ episodes: 100 });
  expect((await here.titles())[0]).toBe("Episode 249");
  for (const count of [200, 250]) {
    here.later(0.5);
    await here.refresh();
    expect(there.asked().at(-1)?.headers).not.toHaveProperty("if-none-match");
    expect(await here.podcast()).toMatchObject({ episodes: count });
  }
  here.later(0.5);
  expect(await here.refresh()).toBe(0);
});
