import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/page.ts";
import { startWorld, type World } from "../../test/world.ts";

describe("the results of a search", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.user({ username: "lena" });
    await world.article(
      { username: "lena" },
      {
        slug: "tomatoes-1a",
        title: "A summer",
        body_markdown: "# Beds\n\nThe **ripest** [tomatoes](https://example.com/a) grow `here`.",
        video_source_url: "https://youtu.be/dQw4w9WgXcQ",
      },
    );
  });
  afterAll(() => world.stop());

  test("show the words of an article's body as they are read, without Markdown or HTML", async () => {
    const { words } = await readPage(world, "/search?q=ripest");
    expect(words).toContain("ripest tomatoes grow here.");
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

  test("an article with a video shows its poster, which leads to the video", async () => {
    const { links } = await readPage(world, "/lena/tomatoes-1a");
    expect(links).toContain("https://youtu.be/dQw4w9WgXcQ");
  });
});
