import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll();
beforeAll(() => world.user({ username: "lena" }));

const lena = { username: "lena" };
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

test("16,000 headings make a list of 200 and stay in the text", async () => {
  await world.article(lena, { slug: "headings", body_markdown: "# a\n".repeat(16_000) });
  const { text } = await world.get("/lena/headings");
  expect(count(text, /<li class="level-/g)).toBe(200);
  expect(count(text, /<h2 id="h-a/g)).toBe(16_000);
});

test("a page reads the body of an article once for each of its versions", async () => {
  const { id } = await world.article(lena, { slug: "read-once", body_markdown: "Warp." });
  const change = (text: string) =>
    world.db.updateTable("articles").set({ body_html: text, page_html: null }).where("id", "=", id).execute();
  const read = async () => {
    await world.forget();
    return (await world.get("/lena/read-once")).text;
  };
  expect(await read()).toContain("Warp.");
  // Without a new version, the change shows whether the body is read again.
  await sql`alter table articles disable trigger articles_version`.execute(world.superuser);
  await change("Weft.");
  await world.comment(lena, { article: "read-once", body_markdown: "Again" });
  const again = await read();
  await sql`alter table articles enable trigger articles_version`.execute(world.superuser);
  expect(again).toContain("Warp.");
  expect(again).toContain("Again");
  await change("Weft.");
  expect(await read()).toContain("Weft.");
});

test("a page shows 100 comments at most and the beginning of long ones, with links to the rest", async () => {
  await world.article(lena, { slug: "talk" });
  const { code } = await world.comment(lena, {
    article: "talk",
    body_markdown: `# a\n${"Long words. ".repeat(900)}`,
  });
  await world.comments(
    Array.from({ length: 110 }, (_, index) => ({
      author: "lena",
      article: "talk",
      parent: code,
      body_markdown: `Number ${index}.`,
    })),
  );
  const { text } = await world.get("/lena/talk");
  expect(count(text, /<article class="comment"/g)).toBe(100);
  expect(text).toContain(`<a href="/comments/${code}">Whole comment</a>`);
  expect(text).toContain('href="/lena/talk/comments"');
  expect((await world.get(`/comments/${code}`)).text).toContain("Long words. ".repeat(900).trim());
});

test("a comment is long from 4,000 characters on, in any script, and shows 1,000 of them", async () => {
  const html = (letters: number) => `<p>${"слово ".repeat(letters / 6)}конец</p>`;
  const comment = async (length: number) => {
    const { id } = await world.comment(lena, { article: "letters" });
    const body_html = html(length);
    await world.db.updateTable("comments").set({ body_html }).where("id", "=", id).execute();
  };
  await world.article(lena, { slug: "letters" });
  await comment(3_900);
  await comment(4_200);
  const { text } = await world.get("/lena/letters");
  expect(text).toContain(html(3_900).slice(3, -4));
  expect(count(text, /Whole comment/g)).toBe(1);
  const [, shown = ""] = /<p dir="auto">([^<]*) <a href="[^"]*">Whole comment/.exec(text) ?? [];
  expect(shown).toMatch(/^слово .*слово…$/s);
  expect(shown.length).toBeGreaterThan(900);
  expect(shown.length).toBeLessThanOrEqual(1_000);
});

test("all comments of an article, and all replies to one, stand on pages of 100", async () => {
  await world.article(lena, { slug: "debate" });
  const { code } = await world.comment(lena, { article: "debate", body_markdown: "Question" });
  await world.comments(
    Array.from({ length: 120 }, (_, index) => ({
      author: "lena",
      article: "debate",
      parent: code,
      body_markdown: `Number ${index}. ${"Long words. ".repeat(index === 0 ? 900 : 0)}`,
    })),
  );
  const countOf = async (url: string) => count((await world.get(url)).text, /<article class="comment"/g);
  expect([await countOf("/lena/debate/comments"), await countOf("/lena/debate/comments?page=2")]).toEqual([
    100, 21,
  ]);
  // The comment itself begins each page of its replies.
  expect([await countOf(`/comments/${code}`), await countOf(`/comments/${code}?page=2`)]).toEqual([101, 21]);
  for (const url of ["/lena/debate/comments", `/comments/${code}`]) {
    const { text } = await world.get(url);
    expect(text).toContain("Whole comment");
    expect(text).not.toContain("Long words. ".repeat(400));
  }
});

test("pages describe an article by the first sentences of its text, the API by 104 characters", async () => {
  const first = "Warp threads run the length of the cloth, from the back beam to the front of the loom.";
  const body_markdown = `# Weaving\n\n|a|b|\n|-|-|\n|c|d|\n\n${first} ${"Weft crosses them again and again ".repeat(9)}`;
  const { id } = await world.article(lena, { slug: "described", body_markdown });
  const { text } = await world.get("/lena/described");
  expect(text).toContain(`<meta name="description" content="${first}"`);
  expect((await world.get("/feed/lena.json")).text).toContain(`"summary":"${first}"`);
  const { description } = (await world.get(`/api/articles/${id}`)).body as { description: string };
  expect(description).toBe(`${first} Weft crosses...`);
});
