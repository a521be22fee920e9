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

test("inkstone article restore publishes one that staff unpublished", async () => {
  const { db } = database;
  const held = { state: "unpublished", published_at: new Date(), unpublish_reason: "Spam" };
  await db.updateTable("articles").set(held).where("id", "=", id).execute();
  const restored = await inkstone(["article", "restore", String(id), "--json"]);
  expect(JSON.parse(restored.out)).toMatchObject({ id, state: "published" });
  expect(
    await db.selectFrom("articles").select(["state", "unpublish_reason"]).where("id", "=", id).execute(),
  ).toEqual([{ state: "published", unpublish_reason: null }]);
});

test("inkstone article restore takes a number and nothing else", async () => {
  expect(await inkstone(["article", "restore", "a-loom"])).toMatchObject({ code: 2, out: "" });
});
