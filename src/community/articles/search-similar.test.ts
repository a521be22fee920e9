import { beforeAll, describe, expect, test } from "vitest";
import type { ArticleRecord } from "./record-columns.ts";
import { followNext, search, searchUrl } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as vocabulary from "../../search/vocabulary.ts";
import * as articleRemoval from "./removal.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

const ada = { username: "ada" };
const SCRIPTS = [1, 2, 3, 4, 5, 6, 7].map((number) => `JavaScript, part ${number}`);

async function publish(title: string, fields: Partial<ArticleRecord> = {}, author = ada) {
  const article = await world.article(author, { title, description: "In short.", ...fields });
  await vocabulary.addUpChanges(world.db);
  return article;
}

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user(ada);
  for (const [index, title] of SCRIPTS.entries()) {
    await publish(title, {
      tags: index < 3 ? ["web"] : [],
      imported_reactions_count: index * 10,
      published_at: index === 6 ? "2025-01-01T00:00:00Z" : "2026-03-30T00:00:00Z",
      body_markdown: index === 1 ? "It has closures." : "It has prototypes.",
    });
  }
  await publish("Kubernetes by hand", { body_markdown: "Pods." });
  await publish("A pepperoni pizza", { body_markdown: "Bake it." });
  await publish("Moose tracks");
  await publish("Mouse traps");
  await publish("Привет, мир");
});

describe("a search with misspelt words", () => {
  test.each([
    ["kuberntes", ["Kubernetes by hand"]],
    ["KUBERNTES hand", ["Kubernetes by hand"]],
    ["peperoni", ["A pepperoni pizza"]],
    ["pizza peperoni", ["A pepperoni pizza"]],
    ["pizza pepproni", ["A pepperoni pizza"]],
    ["приевт", ["Привет, мир"]],
    ["javscript -prototypes", ["JavaScript, part 2"]],
  ])("finds what was meant and says so: %s", async (q, titles) => {
    expect(await search(world, { q })).toMatchObject({ titles, match: "similar" });
  });

  test.each(["javscript closures", "closures javscript"])(
    "puts what has all words, as they were meant, first: %s",
    async (q) => {
      const { titles, match } = await search(world, { q });
      expect([titles[0], match]).toEqual(["JavaScript, part 2", "similar"]);
    },
  );

  test("leaves the words that exist as they are, however near others may be", async () => {
    expect(await search(world, { q: "moose trcks" })).toMatchObject({
      titles: ["Moose tracks"],
      match: "similar",
    });
    const some = await search(world, { q: "mouse trcks" });
    expect(some.titles.toSorted()).toEqual(["Moose tracks", "Mouse traps"]);
    expect(some.match).toBe("partial");
  });

  test.each([
    ["kubernetes pizza", ["A pepperoni pizza", "Kubernetes by hand"]],
    ["moose traps", ["Moose tracks", "Mouse traps"]],
    ["pods pizza", ["A pepperoni pizza", "Kubernetes by hand"]],
  ])("finds what has one of two words that never meet, and says so: %s", async (q, titles) => {
    const found = await search(world, { q });
    expect(found.titles.toSorted()).toEqual(titles);
    expect(found.match).toBe("partial");
  });

  test("finds nothing where no word is near, takes quoted words as they stand, and says nothing without words", async () => {
    expect(await search(world, { q: "xylophonist" })).toMatchObject({ titles: [], match: undefined });
    expect(await search(world, { q: "xylophonist kubernetes" })).toMatchObject({
      titles: ["Kubernetes by hand"],
      match: "partial",
    });
    expect(await search(world, { q: '"kuberntes"' })).toMatchObject({ titles: [], match: undefined });
    expect(await search(world, { q: "javscript", per_page: 2, page: 4 })).toMatchObject({ titles: [] });
    expect(await search(world, { q: "javascript", per_page: 2, page: 4 })).toMatchObject({
      titles: [],
      match: undefined,
    });
  });

  test("says nothing without words", async () => {
    const { match, titles } = await search(world, { tag: "web" });
    expect(titles).toHaveLength(3);
    expect(match).toBeUndefined();
    expect((await search(world, { top: 30 })).match).toBeUndefined();
  });

  test("goes on with what was meant on all pages", async () => {
    const pages = await followNext(world, { q: "javscript", per_page: 2 });
    expect(pages.map(({ titles }) => titles.length)).toEqual([2, 2, 2, 1]);
    expect(pages.flatMap(({ titles }) => titles).toSorted()).toEqual(SCRIPTS);
    expect(new Set(pages.map(({ match }) => match))).toEqual(new Set(["similar"]));
    for (const [page, followed] of pages.entries()) {
      const byNumber = await search(world, { q: "javscript", per_page: 2, page });
      expect(byNumber).toMatchObject({ ids: followed.ids, match: "similar" });
    }
  });

  test("narrows what was meant to a tag", async () => {
    const { titles, match } = await search(world, { q: "javscript", tag: "web" });
    expect(titles.toSorted()).toEqual(SCRIPTS.slice(0, 3));
    expect(match).toBe("similar");
    expect(await search(world, { q: "kuberntes", tag: "web" })).toMatchObject({
      titles: [],
      match: undefined,
    });
  });

  test("orders what was meant by reactions with top, page by page", async () => {
    const wanted = SCRIPTS.slice(0, 6).toReversed();
    const all = await search(world, { q: "javscript", top: 7 });
    expect(all).toMatchObject({ titles: wanted, match: "similar" });
    const pages = await followNext(world, { q: "javscript", top: 7, per_page: 4 });
    expect(pages.flatMap(({ titles }) => titles)).toEqual(wanted);
    expect(pages.map(({ match }) => match)).toEqual(["similar", "similar"]);
  });
});

describe("a misspelt word that occurs", () => {
  test("counts by itself, without its stem", async () => {
    await publish("Redesign of a dinosaur");
    await publish("Neuronas", { body_markdown: "Las redes neuronales." });
    const found = { titles: ["Redesign of a dinosaur"], match: "similar" };
    expect(await search(world, { q: "redesing dinosaur" })).toMatchObject(found);
    expect(await search(world, { q: "dinosaur redesing" })).toMatchObject(found);
  });

  test("may also mean the nearest word where that occurs ten times as often, not nine times", async () => {
    for (let number = 1; number <= 8; number++) await publish(`Lanterns, part ${number}`);
    await publish("Lanterns and moths");
    await publish("A typo", { body_markdown: "They light lantrns." });
    const most = { q: "lantrns moths" };
    expect((await search(world, most)).titles).toHaveLength(2);
    await publish("A summer night with lanterns");
    const { titles, match } = await search(world, most);
    expect([titles[0], match]).toEqual(["Lanterns and moths", "partial"]);
    expect(titles).toHaveLength(11);
  });

  test("finds itself first, however common its nearest word, and is not corrected", async () => {
    for (let number = 1; number <= 12; number++) await publish(`Mouse, part ${number}`);
    await publish("Mouse tracks");
    const { titles, match } = await search(world, { q: "moose" });
    expect([titles[0], match]).toEqual(["Moose tracks", "exact"]);
    expect((await search(world, { q: "moose trcks" })).titles[0]).toBe("Moose tracks");
    const traps = await search(world, { q: "moose traps" });
    expect([traps.titles[0], traps.match]).toEqual(["Mouse traps", "partial"]);
  });

  test("is read in one way on all pages", async () => {
    for (let number = 1; number <= 12; number++) await publish(`Saddles, part ${number}`);
    await publish("A sadle");
    for (const q of ["sadle", "sadle part"]) {
      const pages = await followNext(world, { q, per_page: 5 });
      const all = await search(world, { q, per_page: 100 });
      expect(pages.flatMap(({ ids }) => ids)).toEqual(all.ids);
      expect(new Set(pages.map(({ match }) => match))).toEqual(new Set([all.match]));
      expect(await search(world, { q, per_page: 5, page: 9 })).toMatchObject({ titles: [] });
    }
  });
});

describe("what a misspelt word is corrected to", () => {
  test("is not asked for once an article has the word as typed", async () => {
    await publish("Gardening with hydrangeas");
    expect(await search(world, { q: "hydrangias" })).toMatchObject({ match: "similar" });
    const typo = await publish("A flower", { body_markdown: "These are hydrangias." });
    expect(await search(world, { q: "hydrangias" })).toMatchObject({ titles: ["A flower"], match: "exact" });
    expect(await search(world, { q: "hydrangias gardening" })).toMatchObject({ match: "partial" });
    await publish("A flower", { slug: typo.slug, published: false });
    expect(await search(world, { q: "hydrangias" })).toMatchObject({
      titles: ["Gardening with hydrangeas"],
      match: "similar",
    });
  });

  test("comes with a published article and goes with the last one that is unpublished", async () => {
    const one = await publish("On zeppelins");
    const other = await publish("More zeppelins");
    expect(await search(world, { q: "zepelins" })).toMatchObject({ match: "similar" });
    await publish("On zeppelins", { slug: one.slug, published: false });
    expect((await search(world, { q: "zepelins" })).titles).toEqual(["More zeppelins"]);
    expect(await wordsLike("zeppelin%")).toEqual(["zeppelins"]);
    await publish("More zeppelins", { slug: other.slug, published: false });
    expect(await search(world, { q: "zepelins" })).toMatchObject({ titles: [], match: undefined });
    expect(await wordsLike("zeppelin%")).toEqual([]);
  });

  test("goes with the last article that is deleted", async () => {
    const author = await world.user({ username: "passer_by", name: "Passer" });
    await publish("About marzipan", {}, author);
    expect(await search(world, { q: "marzipn" })).toMatchObject({ match: "similar" });
    await inTransaction(world.db, (tx) => articleRemoval.removeByAuthors(tx, [author.id]));
    await vocabulary.addUpChanges(world.db);
    expect(await search(world, { q: "marzipn" })).toMatchObject({ titles: [], match: undefined });
    expect(await wordsLike("marzipan")).toEqual([]);
  });

  test("follows a title that is changed, and is never a word of drafts", async () => {
    const article = await publish("The tangerine");
    expect((await search(world, { q: "tangerne" })).titles).toEqual(["The tangerine"]);
    await publish("The clementine", { slug: article.slug });
    expect(await search(world, { q: "tangerne" })).toMatchObject({ titles: [], match: undefined });
    expect((await search(world, { q: "clemetine" })).titles).toEqual(["The clementine"]);
    await publish("A secret rendezvous", { published: false });
    expect(await search(world, { q: "rendezvos" })).toMatchObject({ titles: [], match: undefined });
  });

  test("holds the body like any answer of exactly one article", async () => {
    const { body } = await world.get(searchUrl({ q: "kuberntes" }));
    expect(body).toMatchObject([{ title: "Kubernetes by hand", body_markdown: "Pods." }]);
  });
});

async function wordsLike(pattern: string): Promise<string[]> {
  const rows = await world.db
    .selectFrom("search_words")
    .select("word")
    .where("word", "like", pattern)
    .where("articles_count", ">", 0)
    .execute();
  return rows.map(({ word }) => word);
}
