import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/page.ts";
import { startWorld, type World } from "../../test/world.ts";

const FAR = "Unrelated words fill a long paragraph. ".repeat(40);

describe("the results of a search", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
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
  afterAll(() => world.stop());

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

  test("an article with a video shows its poster, which leads to the video", async () => {
    const { links } = await readPage(world, "/lena/tomatoes-1a");
    expect(links).toContain("https://youtu.be/dQw4w9WgXcQ");
  });
});
