import { beforeAll, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import * as users from "../../community/users/users.ts";

const database = databaseForAll();
const run = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));
const inkstone = (args: string[]) => run(...args);
let id: number;

beforeAll(async () => {
  const { db } = database;
  const lena = await users.create(operator(db), { username: "lena", name: "Lena" });
  const article = await db
    .insertInto("articles")
    .values({
      author_id: lena.id,
      slug: "a-loom",
      title: "A loom",
      description: "",
      body_markdown: "",
      body_html: "",
      renderer_version: 1,
      state: "deleted",
      deleted_at: new Date(),
      deleted_from: "draft",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  id = article.id;
});

test("inkstone article restore brings a deleted article back, once", async () => {
  const restored = await inkstone(["article", "restore", String(id), "--json"]);
  expect(JSON.parse(restored.out)).toEqual({ id, title: "A loom", path: "/lena/a-loom", state: "draft" });
  expect(await inkstone(["article", "restore", String(id)])).toEqual({
    code: 1,
    out: "",
    err: `inkstone: There is no deleted article with the id ${id}, nor one that staff unpublished.\n`,
  });
});

test("inkstone article unpublish keeps an article from being published by its author, until it is restored", async () => {
  const { db } = database;
  const stored = () =>
    db.selectFrom("articles").select(["state", "unpublish_reason"]).where("id", "=", id).executeTakeFirst();
  const state = { state: "published", published_at: new Date() };
  await db.updateTable("articles").set(state).where("id", "=", id).execute();
  const unpublished = await inkstone(["article", "unpublish", String(id), "--reason", "Spam", "--json"]);
  expect(JSON.parse(unpublished.out)).toEqual({ id, changed: true });
  expect(await stored()).toEqual({ state: "unpublished", unpublish_reason: "Spam" });
  expect((await inkstone(["article", "unpublish", String(id), "--reason", "Spam"])).out).toBe(
    `Article ${id} is unpublished already.\n`,
  );
  expect((await inkstone(["article", "delete", String(id)])).out).toBe(`Article ${id} is deleted.\n`);
  const states = [];
  for (let times = 0; times < 2; times += 1)
    states.push(JSON.parse((await inkstone(["article", "restore", String(id), "--json"])).out).state);
  expect(states).toEqual(["unpublished", "published"]);
  expect(await stored()).toEqual({ state: "published", unpublish_reason: null });
});

test.each(["unpublish", "delete"])("inkstone article %s names an article that isn't there", async (verb) => {
  expect(await inkstone(["article", verb, "99"])).toEqual({
    code: 1,
    out: "",
    err: "inkstone: There is no article with the id 99.\n",
  });
});

test("inkstone article restore takes a number and nothing else", async () => {
  expect(await inkstone(["article", "restore", "a-loom"])).toMatchObject({ code: 2, out: "" });
});
