import { beforeAll, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { rerender } from "./rendering.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const ada = { username: "ada" };

let key: string;

const world = worldForAll({ now: NOW });
beforeAll(async () => void (key = await world.key(await world.user(ada))));

/** As if an older renderer had made it. */
async function age(ids: number[], change: { body_html?: string; description?: string } = {}) {
  await world.db
    .updateTable("articles")
    .set({ ...change, renderer_version: 0 })
    .where("id", "in", ids)
    .execute();
}

const again = () => rerender(world.db, world.services.renderPool);
const read = async (id: number) => {
  const { body, headers } = await world.get(`/api/articles/${id}`, { key });
  return {
    ...(body as { body_html: string; description: string; edited_at: unknown }),
    etag: headers["etag"],
  };
};

test("the output of an older renderer is rendered again, once, without counting as an edit", async () => {
  const { id } = await world.article(ada, { slug: "relic", body_markdown: "*new*" });
  await age([id], { body_html: "<i>old</i>" });

  expect(await again()).toBe(1);

  expect(await read(id)).toMatchObject({ body_html: "<p><em>new</em></p>\n", edited_at: null });
  expect(await again()).toBe(0);
});

test("the version of an article that is rendered as before stays the same", async () => {
  const { id } = await world.article(ada, { slug: "unmoved", body_markdown: "*same*" });
  const { etag } = await read(id);
  await age([id]);

  expect(await again()).toBe(1);

  expect((await read(id)).etag).toBe(etag);
});

test("a description that was made from the body is made again, and found; another stays", async () => {
  const body_markdown = "{% youtube dQw4w9WgXcQ %} heddles";
  const { id: made } = await world.article(ada, { slug: "made", body_markdown });
  const { id: given } = await world.article(ada, { slug: "given", body_markdown, description: "Written" });
  const body_html = "<p>{% youtube dQw4w9WgXcQ %} heddles</p>";
  await age([made], { body_html, description: "{% youtube dQw4w9WgXcQ %} heddles" });
  await age([given], { body_html });

  expect(await again()).toBe(2);

  expect((await read(made)).description).toBe("heddles");
  expect((await read(given)).description).toBe("Written");
  expect((await world.get("/api/articles/search?q=heddles")).body).toHaveLength(2);
});

test("an edit while an article is rendered again wins", async () => {
  const { id } = await world.article(ada, { slug: "contested", body_markdown: "before" });
  await age([id]);
  const { renderPool } = world.services;
  const slow = {
    ...renderPool,
    render: async (...given: Parameters<typeof renderPool.render>) => {
      const rendered = await renderPool.render(...given);
      const article = { body_markdown: "after" };
      await world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article } });
      return rendered;
    },
  };

  await rerender(world.db, slow);

  expect(await read(id)).toMatchObject({ body_html: "<p>after</p>\n", edited_at: "2026-03-31T12:00:00Z" });
});

test("while 200 articles are rendered again, readers see the old or the new, never none", async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  await world.articles(
    numbers.map((number) => ({
      author: "ada",
      title: "One of many",
      slug: `of-many-${number}`,
      body_markdown: `*${number}*`,
    })),
  );
  const rows = await world.db
    .selectFrom("articles")
    .select("id")
    .where("slug", "like", "of-many-%")
    .orderBy("id")
    .execute();
  const ids = rows.map(({ id }) => id);
  await age(ids, { body_html: "<p>old</p>" });
  const work = again();
  const seen = new Set<string>();
  const progress = { isDone: false };
  void work.finally(() => (progress.isDone = true));
  while (!progress.isDone) {
    for (const at of [0, 99, 199]) {
      const { body_html } = await read(ids[at] ?? 0);
      expect(body_html).toMatch(/^<p>(old|<em>\d+<\/em>)<\/p>\n?$/);
      seen.add(body_html);
    }
  }

  expect(await work).toBe(200);
  expect(seen.size).toBeGreaterThan(1);
  const left = await world.db
    .selectFrom("articles")
    .select("id")
    .where("body_html", "=", "<p>old</p>")
    .execute();
  expect(left).toEqual([]);
});
