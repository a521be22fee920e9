import { beforeAll, describe, expect, test } from "vitest";
import * as settings from "../../src/platform/settings/settings.ts";
import { sample } from "../setup.ts";
import { expectReadable, siteForAll } from "../site.ts";

const site = siteForAll({ demo: false });
const lena = { username: "lena" };
const sue = { username: "sue" };

/** All of them in the long form. */
const some = (states: readonly (readonly [path: string, words: string])[]) =>
  sample(states, 2).map(([path, words], turn) => [path, words, turn] as const);

/** Chromium's words for the status of a page of an error. */
const REFUSED = "Failed to load resource: the server responded with a status";

async function expectState(path: string, words: string, turn: number) {
  const { page, faults } = await site.open(path);
  expect(await page.locator("main").textContent()).toContain(words);
  await expectReadable(page, { few: 1, turn });
  expect(faults.filter((fault) => !fault.startsWith(REFUSED))).toEqual([]);
}

describe("in an empty community", () => {
  beforeAll(async () => {
    const { world } = site;
    await world.user(lena);
    await world.organization({ username: "guild" });
    await world.podcast({ slug: "loomcast" });
    await world.tag({ name: "wool" });
  });

  test.each(
    some([
      ["/", "Nothing published yet"],
      ["/lena", "No articles yet"],
      ["/lena?tab=comments", "No comments yet"],
      ["/lena?tab=series", "No series yet"],
      ["/lena?tab=about", "has written nothing"],
      ["/guild", "No articles yet"],
      ["/guild?tab=about", "has written nothing"],
      ["/t/wool", "No articles with this tag"],
      ["/videos", "No videos yet"],
      ["/archive", "Nothing published yet"],
      ["/archive/2026-03", "No articles"],
      ["/listings", "No listings at present"],
      ["/listings/misc", "No listings at present"],
      ["/loomcast", "No episodes yet"],
      ["/search?q=tomatoes", "No articles found"],
      ["/search?q=tomatoes&kind=people", "No people found"],
    ]),
  )("%s, which says “%s”, is accessible and fits every width", expectState);
});

describe("in a small community", () => {
  beforeAll(async () => {
    const { world } = site;
    await world.user({ ...sue, suspended: true });
    await world.article(lena, { slug: "talk-1a", tags: ["knitting"], series: "Short" });
    const { code } = await world.comment(sue, { article: "talk-1a", deleted: true });
    await world.comment(lena, { article: "talk-1a", parent: code });
    await world.comment(sue, { article: "talk-1a", hidden: true });
    await world.article(lena, { slug: "copied-2b", canonical_url: "https://lena.example/first" });
    await world.article(lena, { slug: "never-3c", series: "Drafts", published: false });
    const { id } = await world.article(lena, { slug: "gone-4d" });
    const key = await world.key(await world.user({ username: "ada", role: "admin" }));
    await world.request({ key, method: "DELETE", url: `/api/articles/${id}` });
    await world.episode("loomcast", { slug: "silent", reachable: false });
    await world.episode("loomcast", { slug: "heard" });
    await world.listing(lena, { slug: "looms-5e", expires_at: "2020-03-30T00:00:00Z" });
    await world.listing(lena);
    await world.forget();
  });

  test.each(
    some([
      ["/sue", "This account is suspended."],
      ["/lena/gone-4d", "This article is gone"],
      ["/lena/never-3c", "Page not found"],
      ["/nobody", "Page not found"],
      ["/lena?tab=secrets", "Invalid address"],
      ["/lena/talk-1a", "This comment was deleted."],
      ["/lena/talk-1a/comments", "This comment is hidden."],
      ["/lena/copied-2b", "First published at"],
      ["/lena/series/Short", "Start reading"],
      ["/lena/series/Drafts", "None of its articles is published"],
      ["/t/knit", "Page not found"],
      ["/listings/misc/looms-5e", "This listing has expired."],
      ["/loomcast/silent", "The audio file can't be reached at present."],
      ["/tags?page=7", "No more tags"],
      ["/listings?page=7", "No more listings"],
      ["/podcasts?page=7", "No more podcasts"],
      ["/loomcast?page=7", "No more episodes"],
      ["/lena?tab=comments&page=7", "No more comments"],
      ["/lena/talk-1a/comments?page=7", "No more comments"],
    ]),
  )("%s, which says “%s”, is accessible and fits every width", expectState);
});

describe("in a private community", () => {
  beforeAll(async () => {
    await settings.set(site.world.db, "visibility", "private");
    await site.world.forget();
  });

  test.each(some([["/lena", "Username or e-mail address"]]))(
    "%s, which says “%s”, is accessible and fits every width",
    expectState,
  );
});

describe("while the database is away", () => {
  beforeAll(async () => {
    await settings.set(site.world.db, "visibility", "public");
    await site.world.db.destroy();
  });

  test.each(some([["/tags", "Temporarily unavailable"]]))(
    "%s, which says “%s”, is accessible and fits every width",
    expectState,
  );
});
