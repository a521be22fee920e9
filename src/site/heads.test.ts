import { beforeAll, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { BASE_URL, worldForAll } from "../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const lena = { username: "lena" };

const read = (url: string) => readPage(world, url);
const world = worldForAll({ now: NOW, settings: { community_name: "Loom Folk", tagline: "We weave" } });
beforeAll(async () => {
  await world.user({ ...lena, name: "Lena </script>", summary: "Weaves & spins." });
  await world.organization({ username: "guild", name: "The Guild", summary: "For weavers." });
  await world.tag({ name: "wool", short_summary: "All about wool." });
  await world.tag({ name: "unused" });
  await world.article(lena, {
    title: 'Wool "and" <silk>',
    slug: "wool-1a",
    description: "How to choose & spin it.",
    tags: ["wool", "yarn"],
    series: "Fibres",
    published_at: "2026-03-01T09:15:00Z",
    edited_at: "2026-03-02T00:00:00Z",
    main_image: "https://pictures.example/wool.jpg",
  });
  await world.article(lena, { title: "Ours", slug: "ours-2b", organization: "guild" });
  const podcast = { slug: "loomcast", title: "Loomcast", description: "<p>Weekly &amp; short.</p>" };
  await world.podcast({ ...podcast, image_url: "https://loomcast.example/cover.png" });
  await world.episode("loomcast", {
    slug: "one",
    title: "First",
    summary: "<p>We begin.</p>",
    media_url: "https://media.example/1.mp3",
    published_at: "2026-03-03T00:00:00Z",
    duration_seconds: 309,
  });
  await world.listing(lena, { slug: "looms-3c", title: "Looms", body_markdown: "Two *good* looms." });
});

const trail = (...steps: [name: string, path: string][]) => ({
  "@context": "https://schema.org",
  "@type": "BreadcrumbList",
  itemListElement: steps.map(([name, path], index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: BASE_URL + path,
  })),
});

test("the front page says who the community is", async () => {
  const page = await read("/");
  expect(page).toMatchObject({ title: "Loom Folk: We weave", canonical: `${BASE_URL}/`, isHidden: false });
  expect(page.meta).toMatchObject({
    "og:type": "website",
    "og:url": `${BASE_URL}/`,
    "og:image": `${BASE_URL}/assets/social.png`,
    "twitter:card": "summary_large_image",
  });
  expect(page.data["WebSite"]).toMatchObject({ name: "Loom Folk", url: BASE_URL });
  expect(page.feeds).toEqual(["/feed", "/feed.atom", "/feed.json"]);
});

test("the page of an article says what it is, who wrote it, when, and where it stands", async () => {
  const page = await read("/lena/wool-1a");
  expect(page).toMatchObject({
    title: 'Wool "and" <silk> · Loom Folk',
    canonical: `${BASE_URL}/lena/wool-1a`,
  });
  expect(page.meta).toMatchObject({
    description: "How to choose & spin it.",
    "og:type": "article",
    "og:title": 'Wool "and" <silk>',
    "og:description": "How to choose & spin it.",
    "og:image": "https://pictures.example/wool.jpg",
    "article:published_time": "2026-03-01T09:15:00.000Z",
    "article:modified_time": "2026-03-02T00:00:00.000Z",
    "article:author": `${BASE_URL}/lena`,
    "article:tag": "yarn",
  });
  expect(page.data["Article"]).toEqual({
    "@context": "https://schema.org",
    "@type": "Article",
    headline: 'Wool "and" <silk>',
    description: "How to choose & spin it.",
    image: "https://pictures.example/wool.jpg",
    datePublished: "2026-03-01T09:15:00.000Z",
    dateModified: "2026-03-02T00:00:00.000Z",
    mainEntityOfPage: `${BASE_URL}/lena/wool-1a`,
    keywords: "wool, yarn",
    commentCount: 0,
    author: { "@type": "Person", name: "Lena </script>", url: `${BASE_URL}/lena` },
    publisher: { "@type": "Organization", name: "Loom Folk", url: BASE_URL },
  });
  expect(page.data["BreadcrumbList"]).toEqual(
    trail(["Lena </script>", "/lena"], ['Wool "and" <silk>', "/lena/wool-1a"]),
  );
  expect(page.feeds).toEqual(["/feed/lena", "/feed/lena.atom", "/feed/lena.json"]);
});

test("the page of an organization's article names it as the publisher, and has a picture of its own", async () => {
  const page = await read("/guild/ours-2b");
  const publisher = { "@type": "Organization", name: "The Guild", url: `${BASE_URL}/guild` };
  expect(page.data["Article"]).toMatchObject({ publisher });
  const picture = String(page.meta["og:image"]);
  expect(picture).toMatch(/^https:\/\/ink\.example\/assets\/cards\/\d+-\w+\.png$/);
  expect(await world.get(picture.slice(BASE_URL.length))).toMatchObject({ status: 200 });
});

test("profiles say whose they are", async () => {
  const person = await read("/lena");
  expect(person).toMatchObject({ title: "Lena </script> · Loom Folk", canonical: `${BASE_URL}/lena` });
  expect(person.meta).toMatchObject({
    description: "Weaves & spins.",
    "og:type": "profile",
    "profile:username": "lena",
    "twitter:card": "summary",
  });
  expect(person.data["ProfilePage"]).toMatchObject({
    mainEntity: {
      "@type": "Person",
      name: "Lena </script>",
      alternateName: "lena",
      url: `${BASE_URL}/lena`,
      description: "Weaves & spins.",
    },
  });
  const organization = await read("/guild");
  expect(organization.data["ProfilePage"]).toMatchObject({
    mainEntity: { "@type": "Organization", name: "The Guild", url: `${BASE_URL}/guild` },
  });
  for (const { meta } of [person, organization]) {
    const picture = String(meta["og:image"]);
    expect(await world.get(picture.slice(BASE_URL.length))).toMatchObject({ status: 200 });
  }
});

test("the page of an episode says which podcast it belongs to, and where its recording is", async () => {
  const page = await read("/loomcast/one");
  expect(page.meta).toMatchObject({
    description: "We begin.",
    "og:image": expect.stringMatching(/^https:/) as string,
  });
  expect(page.data["PodcastEpisode"]).toEqual({
    "@context": "https://schema.org",
    "@type": "PodcastEpisode",
    name: "First",
    url: `${BASE_URL}/loomcast/one`,
    datePublished: "2026-03-03T00:00:00.000Z",
    timeRequired: "PT309S",
    associatedMedia: { "@type": "MediaObject", contentUrl: "https://media.example/1.mp3" },
    partOfSeries: { "@type": "PodcastSeries", name: "Loomcast", url: `${BASE_URL}/loomcast` },
  });
  expect(page.data["BreadcrumbList"]).toEqual(
    trail(["Podcasts", "/podcasts"], ["Loomcast", "/loomcast"], ["First", "/loomcast/one"]),
  );
  const podcast = await read("/loomcast");
  expect(podcast.meta).toMatchObject({ description: "Weekly & short." });
  expect(podcast.data).toHaveProperty("PodcastSeries");
});

test.each([
  ["/t/wool", "All about wool.", trail(["Tags", "/tags"], ["#wool", "/t/wool"])],
  ["/t/yarn", "Articles about yarn.", trail(["Tags", "/tags"], ["#yarn", "/t/yarn"])],
  [
    "/lena/series/Fibres",
    "A series by Lena </script>.",
    trail(["Lena </script>", "/lena"], ["Fibres", "/lena/series/Fibres"]),
  ],
  [
    "/archive/2026-03",
    "Articles of March 2026.",
    trail(["Archive", "/archive"], ["March 2026", "/archive/2026-03"]),
  ],
  [
    "/listings/misc/looms-3c",
    "Two good looms.",
    trail(
      ["Listings", "/listings"],
      ["Miscellaneous", "/listings/misc"],
      ["Looms", "/listings/misc/looms-3c"],
    ),
  ],
])("%s says what it is about, and which pages are above it", async (url, description, crumbs) => {
  const page = await read(url);
  expect(page).toMatchObject({ status: 200, isHidden: false, canonical: BASE_URL + url });
  expect(page.meta["description"]).toBe(description);
  expect(page.data["BreadcrumbList"]).toEqual(crumbs);
});

test("the feeds of a tag and of a search are those of its articles", async () => {
  expect((await read("/t/wool")).feeds).toEqual([
    "/feed/tag/wool",
    "/feed/tag/wool.atom",
    "/feed/tag/wool.json",
  ]);
  const { feeds } = await read("/search?q=wool+%26+silk");
  const query = "?q=wool+%26+silk";
  expect(feeds).toEqual(["", ".atom", ".json"].map((suffix) => `/feed/search${suffix}${query}`));
  for (const feed of feeds) expect(await world.get(feed)).toMatchObject({ status: 200 });
});

test.each([
  ["/tags?page=1", "/tags"],
  ["/podcasts?page=1", "/podcasts"],
  ["/loomcast?tab=about", "/loomcast"],
  ["/lena?utm_source=letter", "/lena"],
  ["/lena/wool-1a?ref=x", "/lena/wool-1a"],
  ["/?top=week", "/?top=week"],
  ["/t/wool?top=ever", "/t/wool?top=ever"],
])("the canonical address of %s is %s", async (url, canonical) => {
  expect(await read(url)).toMatchObject({ canonical: BASE_URL + canonical });
});

test.each([
  "/search",
  "/search?q=wool",
  "/lena?tab=comments",
  "/lena?tab=series",
  "/guild?tab=about",
  "/lena/wool-1a/comments",
  "/t/unused",
  "/archive/2020-01",
])("search engines leave out %s", async (url) => {
  expect(await read(url)).toMatchObject({ status: 200, isHidden: true });
});

test("each page has one title, one h1 and a description that no other page has", async () => {
  const pages = [
    "/",
    "/tags",
    "/podcasts",
    "/videos",
    "/listings",
    "/archive",
    "/about",
    "/lena",
    "/lena/wool-1a",
  ];
  const seen = new Set<string>();
  for (const url of pages) {
    const { text, meta, title } = await read(url);
    expect([url, text.match(/<title>/g)?.length, text.match(/<h1[ >]/g)?.length]).toEqual([url, 1, 1]);
    seen.add(title ?? "").add(meta["description"] ?? "");
  }
  expect(seen.size).toBe(2 * pages.length);
});

test("an article says its language where that is sure, for voices and hyphens", async () => {
  const german =
    "Im Frühling beginnt die Arbeit im Garten mit dem Boden. Wer jetzt Kompost einarbeitet, hat später weniger Mühe mit dem Gießen.";
  await world.article(lena, { slug: "garten-5e", title: "Im Garten", body_markdown: german });
  const page = await read("/lena/garten-5e");
  expect(page.text).toContain('<h1 dir="auto" lang="de">Im Garten</h1>');
  expect(page.text).toContain('<div class="prose" lang="de"');
  expect(page.text).toContain('<html lang="en">');
  expect(page.data["Article"]).toMatchObject({ inLanguage: "de" });
  const unsure = await read("/lena/wool-1a");
  expect(unsure.text).toContain('<h1 dir="auto">Wool');
  expect(unsure.data["Article"]).not.toHaveProperty("inLanguage");
});
