import { expect, test } from "vitest";
import { editingForAll, NOW, plain } from "../../test/editor.ts";

const { world, join, get } = editingForAll();

test("the dashboard has tabs, and 30 articles a page by a cursor, each once", async () => {
  await join("kim");
  for (const state of ["published", "drafts", "scheduled", "deleted"])
    expect((await get(`/dashboard?state=${state}`, "kim")).text).toContain("No articles here");
  expect((await get("/dashboard?state=other", "kim")).status).toBe(422);
  const titles = [];
  for (let n = 0; n < 35; n++) {
    const published_at = new Date(NOW.getTime() - (n % 5) * 86_400_000).toISOString();
    titles.push((await world.article({ username: "kim" }, { published_at })).title);
  }
  const titlesIn = (html: string) =>
    [...html.matchAll(/<p dir="auto"><a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title);
  const first = (await get("/dashboard", "kim")).text;
  expect(titlesIn(first)).toHaveLength(30);
  const next = plain(/<a href="([^"]*)" rel="next"/.exec(first)?.[1] ?? "");
  const second = (await get(next, "kim")).text;
  const byText = (one = "", other = "") => one.localeCompare(other);
  expect([...titlesIn(first), ...titlesIn(second)].toSorted(byText)).toEqual(titles.toSorted(byText));
  expect(first).toContain("0 views");
  expect((await get("/dashboard?state=drafts&cursor=x", "kim")).status).toBe(422);
  expect(first).toContain('href="/new"');
  expect((await get("/dashboard", "")).status).toBe(303);
});
