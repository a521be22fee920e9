import { beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { worldForAll } from "../../test/world.ts";
import { addUpChanges } from "../search/vocabulary.ts";

const FAR = "Unrelated words fill a long paragraph. ".repeat(40);

describe("the results of a search", () => {
  const world = worldForAll();
  beforeAll(async () => {
    const lena = await world.user({ username: "lena" });
    await world.listing(lena, { title: "A loom", body_markdown: "Barely used." });
    await world.article(
      { username: "lena" },
      {
        slug: "tomatoes-1a",
        title: "A summer",
        body_markdown: `# Beds\n\nThe **ripest** [tomatoes](https://example.com/zinnia) grow \`here\`. ${FAR} At the Café Zinnia.`,
        video_source_url: "https://youtu.be/dQw4w9WgXcQ",
      },
    );
  });

  test("show the words of an article's body as they are read, without Markdown or HTML", async () => {
    const { words } = await readPage(world, "/search?q=ripest");
    expect(words).toContain("ripest tomatoes grow here.");
  });

  test("show the words around one that stands far below, however its accents are typed", async () => {
    for (const q of ["cafe", "café", "CAFÉ"]) {
      const { words, text } = await readPage(world, `/search?q=${encodeURIComponent(q)}`);
      expect(words).toMatch(/….*At the Café Zinnia\./);
      expect(text).toContain("<mark>Café</mark>");
    }
  });

  test("show the words around one that stands far below in a text without spaces", async () => {
    const body_markdown = `${"静かな庭。".repeat(300)}トマト。${"静かな庭。".repeat(300)}`;
    await world.article({ username: "lena" }, { slug: "garden-2b", title: "庭", body_markdown });
    const { text } = await readPage(world, `/search?q=${encodeURIComponent("トマト")}`);
    expect(text).toContain("静かな庭。<mark>トマト</mark>。静かな庭。");
  });

  test("mark words of the text, not of its links' addresses", async () => {
    const { text } = await readPage(world, "/search?q=zinnia");
    expect(text).toContain("Café <mark>Zinnia</mark>");
    expect(text).not.toContain("example.com/<mark>");
  });

  test.each(["articles", "people", "tags", "comments", "listings"])(
    "are none for a character that no text can hold: %s",
    async (kind) => {
      const { status, words } = await readPage(world, `/search?q=zzz%00zzz&kind=${kind}`);
      expect({ status, words }).toMatchObject({
        status: 200,
        words: expect.stringContaining(`No ${kind} found`) as string,
      });
    },
  );

  test("within a tag that has none lead to those with any tag", async () => {
    const { words, links } = await readPage(world, "/search?q=ripest&tag=wool");
    expect(words).toContain("No articles found");
    expect(links).toContain("/search?q=ripest");
  });

  test("show a listing's text where only its title matches", async () => {
    const { words } = await readPage(world, "/search?q=loom&kind=listings");
    expect(words).toMatch(/A loom Barely used\..*lena/);
  });

  test("show the part of the body where most words stand", async () => {
    const body_markdown = `Looms first. ${FAR} Looms and shuttles made of pine. ${FAR}`;
    await world.article({ username: "lena" }, { slug: "pine-3c", title: "Wood", body_markdown });
    const { text } = await readPage(world, "/search?q=looms+shuttles+pine");
    expect(text).toContain("<mark>Looms</mark> and <mark>shuttles</mark> made of <mark>pine</mark>.");
  });

  test("an article with a video shows its poster, which leads to the video", async () => {
    const { links } = await readPage(world, "/lena/tomatoes-1a");
    expect(links).toContain("https://youtu.be/dQw4w9WgXcQ");
  });
});

describe("a page of results", () => {
  const read = (q: string, more = "") => readPage(world, `/search?q=${encodeURIComponent(q)}${more}`);

  const world = worldForAll();
  beforeAll(async () => {
    const mara = await world.user({ username: "mara", name: "Mara Lindqvist" });
    await world.user({ username: "marabou", name: "Suspended", suspended: true });
    const guild = await world.organization({ username: "mara_guild", name: "The Guild of Mara" });
    const article = (title: string, fields: object = {}) =>
      world.article(mara, { title, slug: `${title.toLowerCase().replaceAll(/\W+/g, "-")}-1a`, ...fields });
    await article("Growing tomatoes", { tags: ["tomatoes"], organization: guild.username });
    await article("Several words", { body_markdown: "Track them, leave no trace." });
    await article("How to sharpen knives");
    await addUpChanges(world.db);
  });

  test("marks what the engine found, also in names and tags, and no stop words beside others", async () => {
    const { text } = await read("how to find tomato by lindqvist");
    expect(text).toContain("Growing <mark>tomatoes</mark>");
    expect(text).toContain("</span><mark>tomatoes</mark>");
    expect(text).toContain("Mara <mark>Lindqvist</mark>");
    expect(text).not.toMatch(/<mark>(how|to|by)</i);
    expect((await read("severin words")).text).not.toContain("<mark>Several");
    expect((await read("trace words")).text).toContain("Track them, leave no <mark>trace</mark>.");
    expect((await read("how to")).text).toContain("<mark>How</mark> <mark>to</mark> sharpen");
  });

  test("names the words that no article has, and leads to all of them in quotes", async () => {
    const { words, links } = await read('growing tomatoes zzzyx "sharp" -moss');
    expect(words).not.toContain("No article has all");
    const partial = await read("growing tomatoes xylophones");
    expect(partial.words).toContain("No article has all of your words. These have some of them.");
    expect(partial.words).toContain("No article has “xylophones”.");
    expect(partial.links).toContain("/search?q=%22growing%22+%22tomatoes%22+%22xylophones%22");
    expect({ words, links }).toMatchObject({ words: expect.stringContaining("No articles found") as string });
  });

  test("says for what a misspelt word was read, and leads to the words as typed", async () => {
    const { words, links, text } = await read("tomattoes");
    expect(words).toContain("Nothing matches “tomattoes” as typed. Showing results for tomatoes .");
    expect(words).toContain("Search for “tomattoes” as typed");
    expect(links).toContain("/search?q=tomatoes");
    expect(links).toContain("/search?q=%22tomattoes%22");
    expect(text).toContain("Growing <mark>tomatoes</mark>");
  });

  test.each([
    ["tomatoes", "", "1 article"],
    ["mara", "", "3 articles"],
    ["lindqvist", "&kind=people", "1 person"],
    ["tom", "&kind=tags", "1 tag"],
  ])("for %s%s says that there are %s", async (q, more, words) => {
    expect((await read(q, more)).words).toMatch(new RegExp(`Listings ${words}\\b`));
  });

  test("shows the person, the organization and the tag of this name above the articles", async () => {
    expect((await read("@mara")).links).toEqual(expect.arrayContaining(["/mara", "/mara_guild"]));
    const linksTo = async (q: string, path: string) => {
      const { text } = await read(q);
      const [, best = ""] = /<ul class="best-matches"[^>]*>(.*?)<\/ul>/s.exec(text) ?? [];
      return best.includes(`href="${path}"`);
    };
    expect(await linksTo("mara lind", "/mara")).toBe(true);
    expect(await linksTo("THE GUILD", "/mara_guild")).toBe(true);
    expect(await linksTo("#tomat", "/t/tomatoes")).toBe(true);
    expect(await linksTo("marabou", "/marabou")).toBe(false);
    expect(await linksTo("ma", "/mara")).toBe(false);
    expect(await linksTo("lindqvist", "/mara")).toBe(false);
    expect(await linksTo("m%_a", "/mara")).toBe(false);
  });

  test("has one search field, with what was typed", async () => {
    for (const path of ["/search", "/search?q=tomatoes", "/search?q=tomatoes&kind=tags"]) {
      const { text } = await readPage(world, path);
      expect(text.match(/<input[^>]*type="search"/g)).toHaveLength(1);
      expect(text).toContain('<label class="visually-hidden" for="query">Search for</label>');
    }
    expect((await read("tomatoes")).text).toMatch(/<input id="query"[^>]*value="tomatoes"/);
  });

  test("sorts by relevance, or by popularity", async () => {
    await world.article(
      { username: "mara" },
      {
        title: "On soil",
        slug: "soil-9z",
        body_markdown: "For tomatoes.",
        published_at: "2020-01-01T00:00:00Z",
        imported_reactions_count: 5,
      },
    );
    await world.forget();
    const titles = async (more: string) => {
      const { text } = await read("tomatoes", more);
      return [...text.matchAll(/<h2 dir="auto"><a href="([^"]*)"/g)].map(([, path]) => path);
    };
    expect(await titles("&sort=")).toEqual(["/mara_guild/growing-tomatoes-1a", "/mara/soil-9z"]);
    expect(await titles("&sort=popular")).toEqual(["/mara/soil-9z", "/mara_guild/growing-tomatoes-1a"]);
  });

  test("keeps its filters when the kind of search changes, and back", async () => {
    const { links } = await read("tomatoes", "&tag=wool&time=year&sort=popular");
    expect(links).toContain("/search?q=tomatoes&kind=people&tag=wool&time=year&sort=popular");
    const people = await read("tomatoes", "&kind=people&tag=wool&time=year&sort=popular");
    expect(people.links).toContain("/search?q=tomatoes&tag=wool&time=year&sort=popular");
    for (const [name, value] of [
      ["kind", "people"],
      ["tag", "wool"],
      ["time", "year"],
      ["sort", "popular"],
    ]) {
      expect(people.text).toContain(`<input type="hidden" name="${name}" value="${value}"`);
    }
  });
});
