import { describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import * as users from "../users/users.ts";
import * as organizations from "./organizations.ts";
import * as queries from "./queries.ts";

describe("an organization", () => {
  const database = databaseForAll();
  const create = async (username: string) =>
    (await organizations.create(operator(database.db), { username, name: "Name" })).id;

  test("knows its members and its admins", async () => {
    const person = async (username: string) =>
      (await users.create(operator(database.db), { username, name: username })).id;
    const [admin, member, stranger] = [await person("aa"), await person("bb"), await person("cc")];
    const organizationId = await create("weavers");
    await queries.replaceMembers(database.db, organizationId, [
      { user_id: admin, role: "admin" },
      { user_id: member, role: "member" },
    ]);
    const seen = await Promise.all(
      [admin, member, stranger].map(async (userId) => [
        await organizations.isMember(database.db, { userId, organizationId }),
        await organizations.isAdmin(database.db, { userId, organizationId }),
      ]),
    );
    expect(seen).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  test("is found by its name in any case", async () => {
    const id = await create("guild");
    expect(await organizations.idsByUsername(database.db, ["Guild", "none", "a\0b"])).toEqual(
      new Map([["guild", id]]),
    );
  });

  test("frees its name when it is removed", async () => {
    const id = await create("passing");
    expect(await organizations.removeAll(database.db, [id])).toBe(1);
    await users.create(operator(database.db), { username: "passing", name: "Somebody" });
  });
});
