import { describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { importsInto, NOW, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import * as keys from "../../community/users/keys.ts";
import { checkPassword } from "../../community/users/password-hash.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as users from "../../community/users/users.ts";

const database = databaseForEach();
const { load, storedUser, countUsers } = importsInto(database);

test("an account that was merged into another is refused, and named with it", async () => {
  await load([user("lena"), user("noor")]);
  const id = (await storedUser("lena")).id;
  await database.db.deleteFrom("users").where("username", "=", "noor").execute();
  await database.db.insertInto("retired_names").values({ username: "noor", user_id: id }).execute();
  await expect(load([user("Noor")])).rejects.toThrow(
    'line 1, user "noor": noor was merged into lena: name lena in the file, or leave the record out',
  );
  expect(await countUsers()).toBe(1);
});

describe("an id", () => {
  test("is kept where it is free, and the next one goes on after it", async () => {
    await load([user("lena", { id: 500 })]);
    const { id } = await users.create(operator(database.db), { username: "next", name: "Next" });
    expect(id).toBe(501);
  });

  test("is a new one where it is taken", async () => {
    await load([user("lena", { id: 5 }), user("noor", { id: 5 })]);
    expect((await storedUser("lena")).id).toBe(5);
    expect((await storedUser("noor")).id).toBe(6);
  });

  test("never meets one that the database gives", async () => {
    const lines = Array.from({ length: 60 }, (_, n) => user(`person_${n}`, n % 2 ? { id: 60 - n } : {}));
    expect(await load(lines)).toMatchObject({ created: 60 });
  });

  test("may be far above all others", async () => {
    await load([user("lena", { id: 2_000_000_000 })]);
    expect((await users.create(operator(database.db), { username: "next", name: "Next" })).id).toBe(
      2_000_000_001,
    );
  });

  test("of organizations and tags is kept too", async () => {
    await load([
      { type: "organization", username: "weavers", name: "Weavers", id: 30 },
      { type: "tag", name: "wool", id: 40 },
    ]);
    await load([
      { type: "organization", username: "others", name: "Others" },
      { type: "tag", name: "silk" },
    ]);
    const organizations = await database.db.selectFrom("organizations").select("id").orderBy("id").execute();
    const tags = await database.db.selectFrom("tags").select("id").orderBy("id").execute();
    expect([organizations, tags]).toEqual([
      [{ id: 30 }, { id: 31 }],
      [{ id: 40 }, { id: 41 }],
    ]);
  });
});

describe("a secret", () => {
  test("is stored as a hash, whether it comes as itself or as its hash", async () => {
    const sha256 = keys.keyHash("another").toString("hex");
    await load([
      user("lena", {
        password: "correct horse",
        api_keys: [
          { key: "no_prefix_is_needed_here", description: "one" },
          { sha256, description: "two", read_only: true, expires_at: "2027-01-01T00:00:00Z" },
        ],
      }),
    ]);
    const { password_hash } = await storedUser("lena");
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await checkPassword("correct horse", password_hash)).isRight).toBe(true);
    expect((await checkPassword("wrong horse", password_hash)).isRight).toBe(false);
    expect(await keys.authenticate(database.db, "another", NOW)).toMatchObject({ readOnly: true });
    expect(await keys.authenticate(database.db, "another", new Date("2027-01-01T00:00:00Z"))).toBe("expired");
    const rows = [
      await database.db.selectFrom("users").selectAll().execute(),
      await database.db.selectFrom("api_keys").selectAll().execute(),
    ];
    const dump = JSON.stringify(rows);
    expect(dump).not.toContain("correct horse");
    expect(dump).not.toContain("no_prefix_is_needed_here");
  });

  test("of a second factor is stored, and one that differs takes its place without recovery codes", async () => {
    const [one, other] = ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "A".repeat(32)];
    await load([user("lena", { totp_secret: one })]);
    const { id } = await storedUser("lena");
    const codes = (await factors.renewCodes(database.db, id, new Date())) ?? [];
    expect(await load([user("lena", { totp_secret: one }), user("noor")])).toMatchObject({ unchanged: 1 });
    expect(await factors.find(database.db, id)).toMatchObject({ codes_left: codes.length });
    expect(await load([user("lena", { totp_secret: other })])).toMatchObject({ updated: 1 });
    expect(await factors.find(database.db, id)).toMatchObject({ codes_left: 0 });
    expect(await factors.secretsOf(database.db, [id])).toEqual(new Map([[id, other]]));
    await expect(load([user("lena", { totp_secret: "short" })])).rejects.toThrow(
      "totp_secret must be 32 letters A to Z and digits 2 to 7",
    );
  });

  test("of another person is refused", async () => {
    const api_keys = [{ key: "brought from elsewhere", description: "x" }];
    const lines = [user("lena", { api_keys }), user("noor", { api_keys })];
    await load([lines[0] as object]);
    await expect(load(lines)).rejects.toThrow(
      'line 2, user "noor": one of api_keys already belongs to another user',
    );
    expect(await countUsers()).toBe(1);
  });

  test.each([
    [{ password: "a", password_hash: "$x$y" }, "password and password_hash can't both be given"],
    [
      { api_keys: [{ key: `ink_${"k".repeat(38)}`, description: "x" }] },
      "one of api_keys begins with ink_ but isn't a whole key of Inkstone: correct it, or leave it out and make a new one",
    ],
    [{ api_keys: [{ description: "x" }] }, "each of api_keys must have either key or sha256"],
    [
      { api_keys: [{ key: "k".repeat(20), sha256: "0".repeat(64), description: "x" }] },
      "either key or sha256",
    ],
    [
      { api_keys: [1, 2].map(() => ({ key: "k".repeat(20), description: "x" })) },
      "api_keys holds the same key twice",
    ],
    [
      { api_keys: Array.from({ length: 21 }, () => ({ key: "k".repeat(20), description: "x" })) },
      "api_keys must have at most 20 entries",
    ],
  ])("can't be given in two ways or too often: %j", async (fields, reason) => {
    await expect(load([user("lena", fields)])).rejects.toThrow(reason);
  });

  test("is one of at most 20 with those of before", async () => {
    const some = (prefix: string, length: number) =>
      Array.from({ length }, (_, n) => ({ key: `${prefix} of number ${n}, made long`, description: "x" }));
    await load([user("lena", { api_keys: some("early", 15) })]);
    await expect(load([user("lena", { api_keys: some("late", 6) })])).rejects.toThrow(
      "at most 20 keys per user",
    );
  });
});

describe("years from 0000 to 9999", () => {
  test.each([
    "0000-01-01T00:00:00Z",
    "0099-12-31T23:59:59.123Z",
    "1969-07-20T20:17:40Z",
    "9999-12-31T23:59:59.999Z",
  ])("are kept: %s", async (created_at) => {
    await load([user("lena", { created_at })]);
    const { created_at: stored } = await storedUser("lena");
    expect(stored.toISOString()).toBe(new Date(created_at).toISOString());
    expect(await load([user("lena", { created_at })])).toMatchObject({ unchanged: 1 });
  });
});
