import { expect, test } from "vitest";
import { startWorld } from "../../test/world.ts";

test("a page of a hundred costs no more statements than a page of one", async () => {
  const world = await startWorld();
  await world.user({ username: "ada" });
  const record = (n: number) => ({
    author: "ada",
    title: `Part ${n}`,
    slug: `part-${n}`,
    body_markdown: "x",
    tags: ["many"],
  });
  await world.articles(Array.from({ length: 100 }, (_, n) => record(n)));
  let statements = 0;
  // Outside of transactions each statement takes a connection from the pool once.
  world.pool.on("acquire", () => void statements++);
  for (const path of [
    "/api/articles?",
    "/api/articles?tag=many&",
    "/api/articles/search?q=part&",
    "/api/tags?",
  ]) {
    const counts = [];
    for (const perPage of [1, 100]) {
      statements = 0;
      const { body } = await world.get(`${path}per_page=${perPage}`);
      expect((body as unknown[]).length).toBe(path.startsWith("/api/tags") ? 1 : perPage);
      counts.push(statements);
    }
    expect(counts[1]).toBeLessThanOrEqual(4);
    expect(counts[1]).toBeLessThanOrEqual(counts[0] as number);
  }
  await world.stop();
});

test("an offset past 100,000 that could still hold articles is refused and points to the next link", async () => {
  const world = await startWorld();
  await world.db
    .updateTable("counters")
    .set({ value: 1_000_000 })
    .where("name", "=", "published_articles")
    .execute();
  const { status, body } = await world.get("/api/articles?page=200&per_page=1000");
  expect(status).toBe(422);
  expect((body as { error: string }).error).toContain("follow the next link");
  await world.stop();
});

test("an empty community has empty lists", async () => {
  const world = await startWorld();
  for (const path of ["/api/articles", "/api/articles/latest", "/api/articles/search", "/api/tags"]) {
    expect(await world.get(path)).toMatchObject({ status: 200, body: [] });
  }
  await world.stop();
});
