import { beforeAll, describe, expect, test } from "vitest";
import { article, bytesOf, importsInto, type Line, user } from "../../../test/community-file.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { MAX_LINE_BYTES } from "./lines.ts";

const database = databaseForAll();
const { load, loadFrom, countUsers } = importsInto(database);
beforeAll(async () => {
  await database.db.insertInto("handles").values({ username: "weavers", kind: "organization" }).execute();
  await database.db.insertInto("organizations").values({ username: "weavers", name: "Weavers" }).execute();
});

describe("the first bad line", () => {
  const good = [user("lena"), user("noor")];

  test("stops the import, and nothing is kept", async () => {
    await expect(load([...good, user("boss", { role: "boss" })])).rejects.toThrow(
      'line 3, user "boss": role must be one of member, moderator, admin, not "boss"',
    );
    expect(await countUsers()).toBe(0);
  });

  test("is named also when the file can't be read to its end", async () => {
    async function* broken() {
      yield bytesOf([...good, user("boss", { role: "boss" })]);
      throw new Error("the disk fails");
    }
    await expect(loadFrom(broken())).rejects.toThrow('line 3, user "boss"');
    expect(await countUsers()).toBe(0);
  });

  test("is the one that is named, whatever finds its fault", async () => {
    const taken = [user("lena", { email: "a@b.example" }), user("noor", { email: "A@B.example" })];
    const badShape = user("boss", { role: "boss" });
    const badRule = user("admin");
    const unknownAuthor = article("a", { author: "nobody" });
    await expect(load([...taken, badShape])).rejects.toThrow(
      'line 2, user "noor": Email has already been taken',
    );
    await expect(load([...taken, badRule])).rejects.toThrow("line 2,");
    await expect(load([user("lena"), badRule, ...taken])).rejects.toThrow(
      'line 2, user "admin": Username "admin" is',
    );
    await expect(load([user("lena"), unknownAuthor, badShape])).rejects.toThrow(
      'line 2, article "a": author "nobody"',
    );
    expect(await countUsers()).toBe(0);
  });

  test.each<[string, Line, string]>([
    ["no JSON", '{"type":"user"', "line 3: the line isn't a JSON object: it ends too early, at character 15"],
    ["no object", "[1]", "line 3: the line isn't a JSON object"],
    [
      "no UTF-8",
      Buffer.from([0x7b, 0xff, 0x7d]),
      "line 3: the line isn't valid UTF-8: save the file in that encoding",
    ],
    ["no type", { username: "x" }, "line 3: type is missing"],
    [
      "an unknown type",
      { type: "usr" },
      'line 3: there is no record type "usr"; known are setting, user, organization',
    ],
    [
      "an unknown key",
      user("x", { nickname: 1 }),
      'line 3, user "x": nickname is not a known key; known are username',
    ],
    ["a key with an escape", user("x", { "\u001b[2J": 1 }), '"\\u001b[2J" is not a known key'],
    ["a missing key", { type: "user", username: "x" }, 'line 3, user "x": name is missing'],
    ["a missing natural key", { type: "user", name: "x" }, "line 3, user: username is missing"],
    ["a wrong type", user("xx", { suspended: "no" }), 'suspended must be true or false, not "no"'],
    ["null", user("xx", { email: null }), "email must be a text, not null (leave the key out)"],
    [
      "a number that isn't whole",
      user("xx", { id: 1.5 }),
      "id must be a whole number from 1 to 2000000000, not 1.5",
    ],
    ["NUL", user("xx", { summary: "a\0b" }), "summary contains the character NUL: leave it out"],
    [
      "half a surrogate pair",
      '{"type":"user","username":"xx","name":"a\\ud800"}',
      "name contains half of a surrogate pair",
    ],
    [
      "a date without time",
      user("xx", { created_at: "2026-03-02" }),
      "created_at must be a date and time in UTC such as",
    ],
    [
      "a date in another zone",
      user("xx", { created_at: "2026-03-02T00:00:00+02:00" }),
      "created_at must be a date and time",
    ],
    [
      "a nested fault",
      user("xx", { api_keys: [{ key: "x".repeat(16) }] }),
      "api_keys[0].description is missing",
    ],
    [
      "a bad address",
      user("xx", { website_url: "javascript:alert(1)" }),
      "website_url must be a full http or https address",
    ],
    ["a bad username", user("x y"), 'user "x y": Username must have 2 to 30 characters'],
    [
      "an organization's name",
      user("weavers"),
      'user "weavers": Username has already been taken by an organization',
    ],
    [
      "a user's name",
      { type: "organization", username: "lena", name: "x" },
      'organization "lena": Username has already been taken by a user',
    ],
    [
      "an unknown member",
      {
        type: "organization",
        username: "guild",
        name: "x",
        members: [{ username: "nobody", role: "member" }],
      },
      'organization "guild": member "nobody" is not a user of the site or of an earlier line',
    ],
    [
      "a member twice",
      {
        type: "organization",
        username: "guild",
        name: "x",
        members: [1, 2].map(() => ({ username: "lena", role: "admin" })),
      },
      "members names the same user twice",
    ],
    ["a tag of two words", { type: "tag", name: "two words" }, 'Tag "two words" contains non-alphanumeric'],
    [
      "an alias for a later tag",
      { type: "tag", name: "yarn", alias_for: "later" },
      'alias_for "later" is not a tag of',
    ],
    [
      "an alias for itself",
      { type: "tag", name: "silk", alias_for: "silk" },
      'alias_for "silk" is not a tag of',
    ],
    [
      "an unknown setting",
      { type: "setting", key: "colour", value: 1 },
      'setting "colour": there is no setting "colour"',
    ],
    [
      "an unknown author",
      article("a", { author: "nobody" }),
      'article "a": author "nobody" is not a user of the site',
    ],
    [
      "too many tags",
      article("a", { tags: ["a", "b", "c", "d", "e"] }),
      "Tag list exceed the maximum of 4 tags",
    ],
    ["too long a line", `"${"x".repeat(MAX_LINE_BYTES)}"`, "line 3: the line is longer than 8 MiB"],
  ])("can have %s", async (_, line, reason) => {
    await expect(load([...good, line, user("late")])).rejects.toThrow(reason);
    expect(await countUsers()).toBe(0);
  });

  test("never repeats a secret", async () => {
    const failure = await load([user("lena", { password: 12_345 })]).catch((error: unknown) => String(error));
    expect(failure).toBe('AppError: line 1, user "lena": password must be a text');
  });

  test("is shown cut short, with nothing that moves a terminal", async () => {
    const loading = load([user("lena", { role: `\u001b\u009b\u202e${"x".repeat(9_000)}` })]);
    const failure = await loading.then(() => "", String);
    expect(failure).toContain('not "\\u001b\\u{9b}\\u{202e}xxx');
    expect(failure.length).toBeLessThan(250);
  });
});
