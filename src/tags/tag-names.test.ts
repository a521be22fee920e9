import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "../../test/database.ts";
import * as counting from "../articles/counting.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
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

  const insert = async (name: string, more: { alias_for?: number; articles_count?: number } = {}) =>
    (
      await db
        .insertInto("tags")
        .values({ name, ...more })
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;
  const countOf = async (id: number) =>
    (await db.selectFrom("tags").select("articles_count").where("id", "=", id).executeTakeFirstOrThrow())
      .articles_count;

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

  test("are counted right by many at once", async () => {
    const ids = [await insert("a"), await insert("b"), await insert("c")];
    const changes = new Map(ids.map((id) => [id, 1]));
    const backwards = new Map([...changes].toReversed());
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        inTransaction(db, (tx) => counting.apply(tx, { published: 0, tags: n % 2 ? changes : backwards })),
      ),
    );
    expect(await Promise.all(ids.map(countOf))).toEqual([40, 40, 40]);
    const less = new Map([
      [ids[0] as number, -40],
      [ids[1] as number, 0],
    ]);
    await counting.apply(db, { published: 0, tags: less });
    expect(await Promise.all(ids.map(countOf))).toEqual([0, 40, 40]);
  });

  test("are removed unless another stands for them", async () => {
    const wool = await insert("wool");
    const yarn = await insert("yarn", { alias_for: wool });
    expect(await tags.removeUnused(db, [wool])).toBe(0);
    expect(await tags.removeUnused(db, [wool, yarn])).toBe(2);
    expect(await tags.removeUnused(db, [])).toBe(0);
  });
});
