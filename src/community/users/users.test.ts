import { describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import * as users from "./users.ts";

describe("an account", () => {
  const database = databaseForAll();

  const stored = (username: string) =>
    database.db.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirst();

  test("is made with its event", async () => {
    const made = await users.create(operator(database.db), {
      username: "Lena_1",
      name: " Léna ",
      email: "lena@example.org",
    });
    expect(made.username).toBe("lena_1");
    expect(await stored("lena_1")).toMatchObject({
      id: made.id,
      name: "Léna",
      role: "member",
      origin: "operator",
    });
    const event = await database.db
      .selectFrom("events")
      .selectAll()
      .where("type", "=", "user_created")
      .executeTakeFirst();
    expect(event?.payload).toEqual({ user_id: made.id });
  });

  test("takes a name that no person or organization has", async () => {
    await database.db.insertInto("handles").values({ username: "weavers", kind: "organization" }).execute();
    await database.db.insertInto("organizations").values({ username: "weavers", name: "Weavers" }).execute();
    await users.create(operator(database.db), { username: "taken", name: "First" });
    for (const username of ["taken", "TAKEN", "weavers"]) {
      await expect(users.create(operator(database.db), { username, name: "Second" })).rejects.toThrow(
        "Username has already been taken",
      );
    }
  });

  test("has a unique e-mail address, in any case", async () => {
    await users.create(operator(database.db), {
      username: "mail_one",
      name: "One",
      email: "one@example.org",
    });
    await expect(
      users.create(operator(database.db), { username: "mail_two", name: "Two", email: "One@Example.org" }),
    ).rejects.toThrow("Email has already been taken");
    expect(await stored("mail_two")).toBeUndefined();
    const handle = await database.db
      .selectFrom("handles")
      .selectAll()
      .where("username", "=", "mail_two")
      .execute();
    expect(handle).toEqual([]);
  });

  test("is made once of a hundred who want its name at once", async () => {
    const wanted = Array.from({ length: 100 }, () =>
      users.create(operator(database.db), { username: "rush", name: "Rush" }),
    );
    const results = await Promise.allSettled(wanted);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refusals = results.flatMap((result) =>
      result.status === "rejected" ? [String(result.reason)] : [],
    );
    expect(new Set(refusals)).toEqual(new Set(["AppError: Username has already been taken"]));
  });

  test.each(["a", "x".repeat(31), "lena ortiz", "lena-ortiz", "léna", "", "a\0b", "ｌena", "\u212Aelvin"])(
    "can't be called %j",
    async (username) => {
      await expect(users.create(operator(database.db), { username, name: "Lena" })).rejects.toThrow(
        /^Username must have 2 to 30/,
      );
    },
  );

  test.each(["api", "ASSETS", "search", "settings", "postmaster", "admin", "readyz"])(
    "can't take the reserved name %j",
    async (username) => {
      await expect(users.create(operator(database.db), { username, name: "Lena" })).rejects.toThrow(
        /is reserved: choose another/,
      );
    },
  );

  test.each([
    ["", "Name can't be blank"],
    [" \t ", "Name can't be blank"],
    ["x".repeat(101), "Name is too long (maximum is 100 characters)"],
    ["a\u202eb", "Name contains a control, direction or zero-width character"],
    ["a\u200bb", "Name contains a control, direction or zero-width character"],
    ["a\0b", "Name contains a control, direction or zero-width character"],
    ["a\ud800", "Name contains a control, direction or zero-width character"],
    ["\u3164", "Name contains a control, direction or zero-width character"],
  ])("can't be shown as %j", async (name, message) => {
    await expect(users.create(operator(database.db), { username: "shown", name })).rejects.toThrow(message);
  });

  test("is shown in any script, composed", async () => {
    await users.create(operator(database.db), { username: "hanako", name: "山田 花子" });
    await users.create(operator(database.db), { username: "ines", name: "Ine\u0302s 🧵" });
    expect((await stored("hanako"))?.name).toBe("山田 花子");
    expect((await stored("ines"))?.name).toBe("Inês 🧵");
  });

  test.each(["lena", "lena@", "@example.org", "a b@example.org", "a@b@c", "a\0@example.org"])(
    "can't have the e-mail address %j",
    async (email) => {
      await expect(
        users.create(operator(database.db), { username: "mailed", name: "M", email }),
      ).rejects.toThrow("Email must be an address such as lena@example.com");
    },
  );

  test("is found by its name in any case", async () => {
    const { id } = await users.create(operator(database.db), { username: "finder", name: "Finder" });
    const found = await users.idsByUsername(database.db, ["FINDER", "nobody", "no\0body", ""]);
    expect(found).toEqual(new Map([["finder", id]]));
  });

  test("is removed with its keys, and its name is free again", async () => {
    const { id } = await users.create(operator(database.db), { username: "leaver", name: "Leaver" });
    await database.db
      .insertInto("api_keys")
      .values({ user_id: id, sha256: Buffer.alloc(32, 7), description: "x" })
      .execute();
    expect(await users.removeAll(database.db, [id])).toBe(1);
    expect(await database.db.selectFrom("api_keys").selectAll().where("user_id", "=", id).execute()).toEqual(
      [],
    );
    await users.create(operator(database.db), { username: "leaver", name: "Another" });
  });
});
