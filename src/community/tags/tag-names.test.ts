import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "../../../test/database.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as tags from "./tags.ts";

describe("tags", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let db: Db;
  beforeAll(async () => {
    database = await createDatabase();
    db = database.connection.db;
  });
  beforeEach(() => db.deleteFrom("tags").execute());
  afterAll(() => database.drop());

  const insert = async (name: string, more: { alias_for?: number } = {}) =>
    (
      await db
        .insertInto("tags")
        .values({ name, ...more })
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;

  test("are found by stored spelling, and aliases are followed", async () => {
    const wool = await insert("wool");
    await insert("yarn", { alias_for: wool });
    expect(await tags.known(db, ["yarn", "silk", "wool", "silk"])).toEqual(
      new Map([
        ["yarn", { id: wool, name: "wool" }],
        ["wool", { id: wool, name: "wool" }],
      ]),
    );
    expect(await tags.known(db, [])).toEqual(new Map());
  });

  test("are found by name in any case", async () => {
    const wool = await insert("wool");
    await insert("yarn", { alias_for: wool });
    expect(await tags.idsByName(db, ["Wool", " YARN ", "none", "a\0b", ""])).toEqual(
      new Map([
        ["wool", wool],
        ["yarn", wool],
      ]),
    );
  });

  test("are removed unless another stands for them", async () => {
    const wool = await insert("wool");
    const yarn = await insert("yarn", { alias_for: wool });
    expect(await tags.removeUnused(db, [wool])).toBe(0);
    expect(await tags.removeUnused(db, [wool, yarn])).toBe(2);
    expect(await tags.removeUnused(db, [])).toBe(0);
  });
});
