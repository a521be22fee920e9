import { beforeAll, describe, expect, test } from "vitest";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";
import * as articleUpkeep from "./upkeep.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const FILLER = "Nothing of note happened on that day, nor on the one after it. ".repeat(40);

const ada = { username: "ada" };
/** Everything that is found, in alphabetical order. */
const found = async (q: string) => (await search(world, { q })).titles.toSorted();

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user(ada);
  const article = (title: string, body: string) =>
    world.article(ada, { title, description: "In short.", body_markdown: body });
  await article("Quiet harbour", `${FILLER}The cormorant dries its wings while ferries wait.`);
  await article("Small airport", `${FILLER}Its crew dries the wings, and the ferries are full.`);
  await article("Old mill", `${FILLER}Nobody waits there.`);
  await article("Crème brûlée", "Burn the sugar.");
  await article("Straße nach Łódź", "Über Ångström und Øresund.");
  await article("One article", "It runs well.");
  await article("Many articles", "They are running well.");
  await article("An artisan", "A runner rests.");
  await article("Kubernetes by hand", "Pods and nodes.");
  await article("On happiness", "Compiler optimization is a joy.");
  await article("Happy hours", "An optimal drink.");
});

describe("a search by words", () => {
  test("finds all words, a rare one far down in a body too, wherever they stand and in any order", async () => {
    expect(await found("cormorant")).toEqual(["Quiet harbour"]);
    expect(await found("dries wings")).toEqual(["Quiet harbour", "Small airport"]);
    expect(await found("wings dries")).toEqual(["Quiet harbour", "Small airport"]);
    expect(await found("cormorant harbour")).toEqual(["Quiet harbour"]);
  });

  test("finds what has any of words that never meet, the more telling ones first", async () => {
    const none = { titles: ["Small airport", "Quiet harbour"], match: "partial" };
    expect(await search(world, { q: "cormorant airport" })).toMatchObject(none);
    expect(await search(world, { q: "the airport of a cormorant" })).toMatchObject(none);
  });

  test("reads quoted words as they stand, next to one another", async () => {
    expect(await found('"dries its wings"')).toEqual(["Quiet harbour"]);
    expect(await found('"its wings" dries')).toEqual(["Quiet harbour"]);
    expect(await found("“dries its wings”")).toEqual(["Quiet harbour"]);
    expect(await found('"wings its dries"')).toEqual([]);
    expect(await found('"dry its wings"')).toEqual([]);
    expect(await found('"harbour in short"')).toEqual([]);
  });

  test("leaves out what a minus stands before, words and phrases", async () => {
    expect(await found("wings -cormorant")).toEqual(["Small airport"]);
    expect(await found('wings -"dries its wings"')).toEqual(["Small airport"]);
    expect(await found('wings -"wings dries its"')).toEqual(["Quiet harbour", "Small airport"]);
    expect(await found('-"cormorant" wings')).toEqual(["Small airport"]);
    expect(await found("quiet -cormorant")).toEqual([]);
    expect(await found('quiet -"dries its wings"')).toEqual([]);
    expect(await found("well -articles")).toEqual([]);
    expect(await found("-cormorant")).toEqual([]);
  });

  test.each([
    ["CREME BRULEE", "Crème brûlée"],
    ["crème", "Crème brûlée"],
    ["cre\u0300me", "Crème brûlée"],
    ["Brûlée", "Crème brûlée"],
    ["KUBERNETES", "Kubernetes by hand"],
    ["strasse", "Straße nach Łódź"],
    ["STRASSE NACH LODZ", "Straße nach Łódź"],
    ["angstrom oresund", "Straße nach Łódź"],
  ])("ignores case and accents: %s", async (q, title) => {
    expect(await found(q)).toEqual([title]);
  });

  test("finds all inflections of a word by any of them", async () => {
    for (const q of ["article", "articles", "Articles", "ARTICLE"]) {
      expect(await found(q)).toEqual(["Many articles", "One article"]);
    }
    for (const q of ["run well", "runs well", "running well"]) {
      expect(await found(q)).toEqual(["Many articles", "One article"]);
    }
  });

  test.each([
    ["kubernet", ["Kubernetes by hand"]],
    ["hand kube", ["Kubernetes by hand"]],
    ["runni", ["Many articles"]],
    ["happine", ["On happiness"]],
    ["optimiz", ["On happiness"]],
    ["optim", ["Happy hours", "On happiness"]],
    ["corm", ["Quiet harbour"]],
  ])("takes the last word for the beginning of one: %s", async (q, titles) => {
    expect(await found(q)).toEqual(titles);
    expect((await search(world, { q })).match).toBe("exact");
  });

  test("takes no other word for a beginning, and none in quotes", async () => {
    expect(await search(world, { q: "kubern by" })).toMatchObject({ titles: [], match: undefined });
    expect(await found('"kubern"')).toEqual([]);
    expect((await search(world, { q: "hours happ" })).titles[0]).toBe("Happy hours");
    expect(await search(world, { q: "happ hours" })).toMatchObject({
      titles: ["Happy hours"],
      match: "partial",
    });
  });
});

describe("a search by names", () => {
  beforeAll(async () => {
    await world.user({ username: "quill_bearer", name: "Odalys Brannigan" });
    const members = [{ username: "quill_bearer", role: "member" }];
    await world.organization({ username: "tinkerlab", name: "Zinc & Copper Works", members });
    await world.article(
      { username: "quill_bearer" },
      { title: "Sharp knives", description: "In short.", body_markdown: "A stone.", slug: "sharp-knives" },
    );
    await world.article(
      { username: "quill_bearer" },
      {
        title: "Blunt knives",
        description: "In short.",
        body_markdown: "A rock.",
        organization: "tinkerlab",
      },
    );
  });

  test.each([
    ["Brannigan", ["Blunt knives", "Sharp knives"]],
    ["odalys brannigan", ["Blunt knives", "Sharp knives"]],
    ["quill_bearer", ["Blunt knives", "Sharp knives"]],
    ["@quill_bearer", ["Blunt knives", "Sharp knives"]],
    ["tinkerlab", ["Blunt knives"]],
    ["Zinc & Copper Works", ["Blunt knives"]],
  ])("finds articles by their author and organization: %s", async (q, titles) => {
    expect(await found(q)).toEqual(titles);
  });

  test.each([
    ["brannigan sharp", ["Sharp knives", "Blunt knives"]],
    ["copper knives", ["Blunt knives", "Sharp knives"]],
  ])("puts articles with a name and a word before those with one of them: %s", async (q, titles) => {
    expect((await search(world, { q })).titles).toEqual(titles);
  });

  test("finds by the new name of an author once the articles are brought in line, and by the old one no more", async () => {
    const { id } = await world.user({ username: "quill_bearer", name: "Odalys Castellan" });
    await articleUpkeep.refreshAll(world.db, { author_id: id }, NOW);
    expect(await found("castellan")).toEqual(["Blunt knives", "Sharp knives"]);
    expect(await found("brannigan")).toEqual([]);
  });

  test("finds by the new name of an organization, and by the old one no more", async () => {
    const { id } = await world.organization({ username: "tinkerlab", name: "Tin & Pewter Works" });
    await articleUpkeep.refreshAll(world.db, { organization_id: id }, NOW);
    expect(await found("pewter")).toEqual(["Blunt knives"]);
    expect(await found("copper")).toEqual([]);
  });
});
