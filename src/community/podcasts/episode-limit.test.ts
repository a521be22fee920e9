import { sql } from "kysely";
import { expect, test } from "vitest";
import { feedHost, following, type Item, podcastFeed } from "../../../test/feeds.ts";

const there = feedHost();
const here = following();

test("a podcast gets no more than ten thousand episodes, and says so", async () => {
  const one = { title: "One", media: "https://media.example/1.mp3", guid: "1" };
  const two = { title: "Two", media: "https://media.example/2.mp3", date: "Mon, 09 Feb 2026 08:00:00 GMT" };
  const feed = (items: Item[]) => there.put("/feed", { body: podcastFeed({ items }) });
  feed([one]);
  const { id } = await here.add(there.at("/feed"));
  await sql`insert into podcast_episodes (podcast_id, slug, title, media_url)
    select ${id}, 'old-' || n, 'Old', 'https://media.example/old/' || n from generate_series(1, 9998) as n`.execute(
    here.world.db,
  );
  const others = [3, 4].map((n) => ({ title: `No ${n}`, media: `https://media.example/${n}.mp3` }));
  feed([two, ...others, { ...one, title: "One, again" }]);
  for (const round of [1, 2]) {
    await here.refreshLater();
    expect(await here.podcast(), `round ${round}`).toMatchObject({
      episodes: 10_000,
      problem: "The feed has new episodes, but the podcast has 10000 already: no more are taken.",
    });
  }
  expect((await here.titles()).slice(0, 2)).toEqual(["One, again", "Two"]);
  feed([two]);
  await here.refreshLater();
  expect((await here.podcast()).problem).toBeNull();
});
