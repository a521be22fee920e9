import { beforeAll, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

let key: string;

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  key = await world.key(await world.user({ username: "ada" }));
  await world.user({ username: "bob" });
  await world.organization({ username: "looms" });
});

interface Written {
  id: number;
  body_html: string;
  warnings?: string[];
}

let count = 0;
async function save(body_markdown: string, id?: number): Promise<Written> {
  const article = { title: `Article ${++count}`, body_markdown };
  const call =
    id === undefined
      ? { method: "POST", url: "/api/articles" }
      : { method: "PUT", url: `/api/articles/${id}` };
  const { status, body } = await world.request({ ...call, key, body: { article } });
  expect({ status, body }).toMatchObject({ status: id === undefined ? 201 : 200 });
  return body as Written;
}

test("an article of this site is a card with its title, however it is linked", async () => {
  await world.article({ username: "bob" }, { slug: "warping", title: "Warping & <weaving>" });
  const card = '<a class="embed embed-article" href="/bob/warping">Warping &amp; &lt;weaving&gt;</a>';
  for (const link of [
    "https://ink.example/bob/warping",
    "{% link /bob/warping %}",
    "{% embed https://ink.example/Bob/warping?x#y %}",
  ]) {
    expect((await save(link)).body_html).toBe(`<p>${card}</p>\n`);
  }
});

test("the title of a draft is not shown", async () => {
  await world.article({ username: "bob" }, { slug: "secret", title: "Canary", published: false });
  await world.article(
    { username: "bob" },
    { slug: "later", title: "Canary", published_at: "2026-05-01T00:00:00Z" },
  );
  const { body_html } = await save("{% link bob/secret %} {% link bob/later %} {% link ada/warping %}");
  expect(body_html).toContain(">/bob/secret</a>");
  expect(body_html).not.toContain("Canary");
  expect(body_html).not.toContain("Warping");
});

test("mentions of people and organizations are links, others are text", async () => {
  expect((await save("@Bob and @looms, @nobody, `@bob`")).body_html).toBe(
    '<p><a href="/bob">@Bob</a> and <a href="/looms">@looms</a>, @nobody, <code>@bob</code></p>\n',
  );
});

test("more than seven people can't be mentioned, linked or not", async () => {
  const names = Array.from({ length: 8 }, (_, number) => `weaver${number}`);
  for (const username of names) await world.user({ username });
  const body_markdown = names.map((name) => `@${name}`).join(" ");
  const article = { title: "Everybody", body_markdown };
  const { status } = await world.request({ method: "POST", url: "/api/articles", key, body: { article } });
  expect(status).toBe(422);
  await save(body_markdown.replace("@weaver0 ", ""));
});

test("tags that are shown as text are told with their lines in the body as it was sent, also in an update", async () => {
  const body_markdown = "---\r\ntitle: Tags\r\n---\r\n\r\n{% frobnicate %}\r\n\r\n{% details %}\r\n";
  const { id, warnings } = await save(body_markdown);
  expect(warnings).toEqual([
    "Attribute title was ignored: the front matter of body_markdown decides it.",
    "Unknown tag {% frobnicate %} in line 5: it is shown as text.",
    "Tag {% details %} in line 7 has no {% enddetails %}: it is shown as text.",
  ]);
  expect((await save("{% frobnicate %}", id)).warnings).toEqual([
    "Unknown tag {% frobnicate %} in line 1: it is shown as text.",
  ]);
  expect(await save("{% user ada %}", id)).not.toHaveProperty("warnings");
});

test("an import links mentions and articles that are there already", async () => {
  const { id } = await world.article(
    { username: "ada" },
    { slug: "imported", body_markdown: "@bob\n\nhttps://ink.example/bob/warping" },
  );
  const { body } = await world.get(`/api/articles/${id}`);
  expect((body as Written).body_html).toBe(
    '<p><a href="/bob">@bob</a></p>\n<p><a class="embed embed-article" href="/bob/warping">Warping &amp; &lt;weaving&gt;</a></p>\n',
  );
});
