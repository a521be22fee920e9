import { expect, test } from "vitest";
import { feedFile, type FeedName } from "../../../test/feeds.ts";
import { readFeed } from "./read-feed.ts";

const read = (name: FeedName, contentType?: string) =>
  readFeed(feedFile(name), contentType, "https://feeds.example/dir/feed");

test("RSS with iTunes tags", () => {
  const { items, ...feed } = read("podcast.xml", "application/rss+xml; charset=utf-8");
  expect(feed).toEqual({
    title: "Seeds & Soil",
    description: "A show about <em>gardens</em>.",
    link: "https://seeds.example/",
    imageUrl: "https://seeds.example/cover.jpg",
    movedTo: "https://feeds.example/seeds-new.xml",
  });
  expect(items[0]).toEqual({
    guid: "seeds-12",
    url: "https://seeds.example/12",
    title: "12 — Compost, slowly 🌱",
    html: '<p>Why <b>slow</b> heaps win. <a href="/notes">Notes</a></p>',
    summary: "Why slow heaps win.",
    publishedAt: new Date("2026-01-02T05:00:00Z"),
    categories: [],
    imageUrl: "https://seeds.example/12.jpg",
    enclosure: { url: "https://cdn.example/12.mp3?a=1&b=2", type: "audio/mpeg", length: 12345678 },
    durationSeconds: 3723,
  });
  expect(items[1]).toEqual({
    guid: "https://seeds.example/11",
    url: "https://seeds.example/11",
    title: "11 - Pots",
    summary: "Clay or plastic?",
    publishedAt: new Date("2025-12-25T06:00:00Z"),
    categories: [],
    enclosure: { url: "https://seeds.example/11.m4a", type: "audio/x-m4a" },
    durationSeconds: 3570,
  });
  expect(items[2]).toMatchObject({ durationSeconds: 3600, enclosure: { type: "audio/mpeg" } });
  expect(items[2]?.enclosure?.length).toBeUndefined();
  // Addresses that can't be fetched, and unknown values, are left out.
  expect(items[3]).toEqual({ guid: "seeds-9", title: "9 - Trailer", categories: [] });
  expect(items).toHaveLength(4);
});

test("Atom, with addresses from its base", () => {
  const { items, ...feed } = read("journal.atom", "application/atom+xml");
  expect(feed).toEqual({
    title: "Das <Journal> neu",
    description: "Was &lt; war",
    link: "https://journal.example/blog/",
    imageUrl: "https://journal.example/blog/logo.png",
  });
  expect(items).toEqual([
    {
      guid: "tag:journal.example,2026:3",
      url: "https://journal.example/blog/brot",
      title: "Über Brot",
      html: "<p>Mehl &amp; <i>Wasser</i></p>",
      publishedAt: new Date("2026-01-02T08:30:00Z"),
      categories: ["Brot", "mehl"],
      enclosure: { url: "https://journal.example/blog/brot.ogg", type: "audio/ogg", length: 99 },
    },
    {
      guid: "tag:journal.example,2026:2",
      title: "a <b> c",
      html: "<p>Hallo</p>",
      summary: "1 &lt; 2",
      publishedAt: new Date("2026-01-01T00:00:00Z"),
      categories: [],
    },
    {
      guid: "tag:journal.example,2026:1",
      title: "Ein Bild",
      publishedAt: new Date("2025-12-31T00:00:00Z"),
      categories: [],
    },
  ]);
});

test("RSS with broken dates: what can be meant is read, and the rest is no date", () => {
  const { items } = read("broken-dates.xml");
  expect(
    Object.fromEntries(items.map(({ title, publishedAt }) => [title, publishedAt?.toISOString()])),
  ).toEqual({
    "wrong weekday": "2026-01-02T03:04:05.000Z",
    "no zone": "2026-01-02T03:04:00.000Z",
    "american zone": "2026-01-02T08:04:05.000Z",
    "two digits": "2026-01-02T03:04:05.000Z",
    iso: "2026-01-02T01:04:05.000Z",
    "iso with a space": "2026-01-02T03:04:05.000Z",
    "day alone": "2026-01-02T00:00:00.000Z",
    "month first": "2026-01-02T15:04:00.000Z",
    "no such day": undefined,
    "no such hour": undefined,
    "a word": undefined,
    zeros: undefined,
    empty: undefined,
    none: undefined,
  });
});

test.each([
  ["Seg, 24 Set 2018 19:42:40 -0300", "2018-09-24T22:42:40.000Z"],
  ["dom, 02 ott 2022 18:55:00 GMT", "2022-10-02T18:55:00.000Z"],
  ["03 Apr 02 1500 GMT", "2002-04-03T15:00:00.000Z"],
  ["Do., 24. März 2022 19:42 MESZ", "2022-03-24T17:42:00.000Z"],
  ["1er août 2020", "2020-08-01T00:00:00.000Z"],
  ["mié., 15 de jul. de 2020", "2020-07-15T00:00:00.000Z"],
  ["segunda-feira, 24 de setembro de 2018", "2018-09-24T00:00:00.000Z"],
  ["wo, 3 mei 2023 10:00:00 +0200", "2023-05-03T08:00:00.000Z"],
  ["śr., 24 października 2018", "2018-10-24T00:00:00.000Z"],
  ["man., 24. okt. 2018 10.00", "2018-10-24T10:00:00.000Z"],
  ["ke 24 syyskuuta 2018", "2018-09-24T00:00:00.000Z"],
  ["24 října 2018", "2018-10-24T00:00:00.000Z"],
  ["Пн, 24 Сен 2018 19:42:40 +0300", "2018-09-24T16:42:40.000Z"],
  ["24 мая 2018 г., 10:00", "2018-05-24T10:00:00.000Z"],
  ["Pzt, 24 Eyl 2018 19:42:40 +0300", "2018-09-24T16:42:40.000Z"],
  ["15 jui 2020", undefined],
  ["Thu, 01 Jan 1970 00:00:00 GMT", undefined],
])("the date %s is read as %s", (date, moment) => {
  const feed = `<rss version="2.0"><channel><item><title>a</title><pubDate>${date}</pubDate></item></channel></rss>`;
  const [item] = readFeed(Buffer.from(feed), undefined, "https://feeds.example/").items;
  expect(item?.publishedAt?.toISOString()).toBe(moment);
  expect(item?.unreadableDate).toBe(moment === undefined ? date : undefined);
});

test("JSON Feed, with text made HTML and texts that can be stored", () => {
  const { items, ...feed } = read("notes.json", "application/feed+json");
  expect(feed).toEqual({
    title: "Notes",
    description: "Small &amp; &lt;plain&gt;",
    link: "https://notes.example/",
    imageUrl: "https://feeds.example/icon.png",
  });
  expect(items).toEqual([
    {
      guid: "3",
      url: "https://feeds.example/3",
      title: "With a recording",
      html: "<p>Listen</p>",
      summary: "1 &lt; 2",
      publishedAt: new Date("2026-01-02T03:04:05Z"),
      categories: ["a", "b c"],
      imageUrl: "https://feeds.example/dir/3.png",
      enclosure: { url: "https://cdn.example/3.mp3", type: "audio/mpeg", length: 42 },
      durationSeconds: 61,
    },
    {
      guid: "2",
      url: "https://elsewhere.example/",
      html: "a &lt; b<br>\nc",
      categories: [],
    },
    { guid: "1", title: "\ufffd half", unreadableDate: "5", categories: [] },
  ]);
});

test("RSS 1.0, which is RDF", () => {
  const { items, ...feed } = read("news.rdf");
  expect(feed).toMatchObject({ title: "News", link: "https://news.example/" });
  expect(items).toEqual([
    {
      guid: "https://news.example/1",
      url: "https://news.example/1",
      title: "First",
      summary: "One",
      publishedAt: new Date("2026-01-02T03:04:05Z"),
      categories: ["old"],
    },
  ]);
});
