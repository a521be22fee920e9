import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BEGINNING, feedHost, following } from "../../../test/feeds.ts";

const there = feedHost();
const here = following();
const fixture = (name: string) => readFile(join(import.meta.dirname, "../../../test/feeds", name), "utf8");

test("a podcast in RSS with the elements of podcast programs", async () => {
  there.put("/feed", { body: await fixture("podcast.xml") });
  const added = await here.add(there.at("/feed"));
  expect(added).toMatchObject({ slug: "seeds-soil", title: "Seeds & Soil", episodes: 3 });
  expect(await here.episodes("seeds-soil")).toMatchObject([
    { title: "10 - Worms", slug: "10-worms", duration_seconds: 3600, published_at: BEGINNING },
    {
      title: "12 — Compost, slowly 🌱",
      slug: "12-compost-slowly",
      guid: "seeds-12",
      media_url: "https://cdn.example/12.mp3?a=1&b=2",
      image_url: "https://seeds.example/12.jpg",
      duration_seconds: 3723,
      published_at: new Date("2026-01-02T05:00:00Z"),
      summary:
        '<p>Why <b>slow</b> heaps win. <a href="https://seeds.example/notes" rel="nofollow ugc noopener">Notes</a></p>',
    },
    { title: "11 - Pots", duration_seconds: 3570, media_url: "https://seeds.example/11.m4a" },
  ]);
});

test("a journal in Atom, of whose entries one is a recording", async () => {
  there.put("/feed", { body: await fixture("journal.atom") });
  const { slug } = await here.add(there.at("/feed"));
  expect(await here.episodes(slug)).toMatchObject([
    {
      title: "Über Brot",
      slug: "uber-brot",
      guid: "tag:journal.example,2026:3",
      media_url: "https://journal.example/blog/brot.ogg",
      published_at: new Date("2026-01-02T08:30:00Z"),
      summary: expect.stringContaining("<p>Mehl &amp; <i>Wasser</i></p>"),
    },
  ]);
});

test("RSS with dates that are broken in many ways, which are those of the fetch", async () => {
  let number = 0;
  const sounding = (await fixture("broken-dates.xml")).replaceAll(
    "</item>",
    () => `<enclosure url="https://media.example/${++number}.mp3" type="audio/mpeg"/></item>`,
  );
  there.put("/feed", { body: sounding });
  const { slug } = await here.add(there.at("/feed"));
  const dates = new Map((await here.episodes(slug)).map(({ title, published_at }) => [title, published_at]));
  expect(dates.get("wrong weekday")).toEqual(new Date("2026-01-02T03:04:05Z"));
  expect(dates.get("american zone")).toEqual(new Date("2026-01-02T08:04:05Z"));
  for (const title of ["no such day", "no such hour", "a word", "zeros", "empty", "none"]) {
    expect([title, dates.get(title)]).toEqual([title, BEGINNING]);
  }
  here.later(2);
  await here.refresh();
  expect(await here.episodes(slug)).toHaveLength(number);
});
