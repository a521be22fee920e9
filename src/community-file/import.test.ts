import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "../../test/database.ts";
import type { Db } from "../db/connect.ts";
import * as keys from "../users/keys.ts";
import { isPassword } from "../users/password-hash.ts";
import * as users from "../users/users.ts";
import { createRenderPool } from "../text/render-pool.ts";
import { importFile, type ImportOptions } from "./import.ts";
import { MAX_LINE_BYTES } from "./lines.ts";

const NOW = new Date("2026-03-02T09:15:00Z");
const renderPool = createRenderPool();
afterAll(() => renderPool.close());

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Db;
beforeEach(async () => {
  database = await createDatabase();
  db = database.connection.db;
});
afterEach(() => database.drop());

type Line = object | string | Buffer;

function bytesOf(lines: Line[]): Buffer {
  const parts = lines.map((line) =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === "string" ? line : JSON.stringify(line)),
  );
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}

const load = (lines: Line[], options: Partial<ImportOptions> = {}) =>
  importFile(db, Readable.from([bytesOf(lines)]), { renderPool, now: NOW, ...options });

const user = (username: string, more: object = {}) => ({ type: "user", username, name: username, ...more });
const article = (slug: string, more: object = {}) => ({
  type: "article",
  slug,
  author: "lena",
  title: slug,
  body_markdown: `# ${slug}`,
  published_at: "2026-01-02T03:04:05Z",
  ...more,
});
const storedUser = (username: string) =>
  db.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirstOrThrow();
const countUsers = async () => (await db.selectFrom("users").select("id").execute()).length;

/** Everything that an import could change. */
const everything = async () => {
  const tables = ["users", "api_keys", "organizations", "organization_members", "tags", "articles"] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  const settings = await db.selectFrom("settings").selectAll().execute();
  const counters = await db.selectFrom("counters").selectAll().execute();
  const lists = await db.selectFrom("published_articles").selectAll().orderBy("article_id").execute();
  return { rows, settings, counters, lists };
};

const SITE: Line[] = [
  { type: "setting", key: "community_name", value: "Tinkers" },
  { type: "setting", key: "read_rate", value: 50 },
  user("lena", {
    id: 41,
    name: "Léna",
    email: "lena@example.org",
    role: "admin",
    summary: "Weaves.\nMends.",
    location: "Lyon",
    website_url: "https://lena.example/",
    microblog_username: "lena",
    codehost_username: "lenao",
    profile_image: "https://lena.example/me.png",
    created_at: "2022-03-02T08:15:00Z",
    suspended: false,
    password: "correct horse",
    api_keys: [{ key: "a key brought from elsewhere, and long", description: "old", read_only: true }],
  }),
  user("noor"),
  {
    type: "organization",
    username: "weavers",
    id: 7,
    name: "Weavers",
    story: "Long.",
    members: [
      { username: "lena", role: "admin" },
      { username: "noor", role: "member" },
    ],
  },
  { type: "tag", name: "wool", bg_color_hex: "#ffffff", text_color_hex: "#000000", short_summary: "Of sheep." },
  { type: "tag", name: "yarn", alias_for: "wool" },
  article("first-loom", { id: 12, organization: "weavers", tags: ["yarn", "looms"], series: "Looms" }),
  article("draft", { published: false, published_at: undefined }),
];

describe("a community file", () => {
  test("brings settings, people, organizations, tags and articles", async () => {
    const summary = await load(SITE);
    expect(summary).toEqual({ records: 9, created: 9, updated: 0, unchanged: 0, skipped: 0, bad: [] });
    expect(await storedUser("lena")).toMatchObject({ id: 41, name: "Léna", role: "admin", origin: "import" });
    expect((await storedUser("lena")).created_at).toEqual(new Date("2022-03-02T08:15:00Z"));
    expect((await storedUser("noor")).created_at).toEqual(NOW);
    const loom = await db.selectFrom("articles").selectAll().where("slug", "=", "first-loom").executeTakeFirstOrThrow();
    expect(loom).toMatchObject({ id: 12, author_id: 41, organization_id: 7, tag_list: ["wool", "looms"] });
    const wool = await db.selectFrom("tags").selectAll().where("name", "=", "wool").executeTakeFirstOrThrow();
    expect(wool.articles_count).toBe(1);
    const counter = await db.selectFrom("counters").selectAll().executeTakeFirstOrThrow();
    expect(Number(counter.value)).toBe(1);
  });

  test("changes nothing the second time", async () => {
    await load(SITE);
    const before = await everything();
    expect(await load(SITE, { now: new Date("2026-04-01T00:00:00Z") })).toMatchObject({ created: 0, updated: 0, unchanged: 9 });
    expect(await everything()).toEqual(before);
  });

  test("updates what has changed and leaves alone what it doesn't mention", async () => {
    await load(SITE);
    const summary = await load([
      user("LENA", { name: "Helena", id: 99 }),
      user("noor", { location: "Utrecht" }),
      { type: "organization", username: "weavers", name: "Weavers", members: [{ username: "noor", role: "admin" }] },
      { type: "tag", name: "WOOL", bg_color_hex: "#123456" },
      { type: "setting", key: "read_rate", value: 51 },
    ]);
    expect(summary).toMatchObject({ created: 0, updated: 5, unchanged: 0 });
    expect(await storedUser("lena")).toMatchObject({ id: 41, name: "Helena", role: "admin", location: "Lyon" });
    const members = await db.selectFrom("organization_members").select(["user_id", "role"]).execute();
    expect(members).toEqual([{ user_id: (await storedUser("noor")).id, role: "admin" }]);
    const wool = await db.selectFrom("tags").selectAll().where("name", "=", "wool").executeTakeFirstOrThrow();
    expect(wool).toMatchObject({ bg_color_hex: "#123456", text_color_hex: "#000000", short_summary: "Of sheep." });
  });

  test("empties a text by an empty text", async () => {
    await load(SITE);
    await load([user("lena", { name: "Léna", location: " ", website_url: "" })]);
    expect(await storedUser("lena")).toMatchObject({ location: null, website_url: null, summary: "Weaves.\nMends." });
  });

  test("may hold a record twice; the later one counts", async () => {
    const summary = await load([user("lena"), user("Lena", { name: "Later" })]);
    expect(summary).toMatchObject({ created: 1, updated: 1 });
    expect((await storedUser("lena")).name).toBe("Later");
  });

  test("tells nobody", async () => {
    await load(SITE);
    expect(await db.selectFrom("events").selectAll().execute()).toEqual([]);
  });

  test("may have empty lines, Windows line ends, a byte order mark and no end of line", async () => {
    const text = `\ufeff${JSON.stringify(user("lena"))}\r\n\r\n\n${JSON.stringify(user("noor"))}`;
    const summary = await importFile(db, Readable.from([text]), { renderPool, now: NOW });
    expect(summary).toMatchObject({ records: 2, created: 2 });
  });

  test("may arrive in pieces of any size", async () => {
    const bytes = bytesOf([user("lena", { name: "Léna 山田" }), user("noor")]);
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await importFile(db, Readable.from(pieces), { renderPool, now: NOW })).toMatchObject({ created: 2 });
    expect((await storedUser("lena")).name).toBe("Léna 山田");
  });

  test("may be empty", async () => {
    expect(await load([])).toMatchObject({ records: 0, created: 0 });
  });

  test("tells its progress", async () => {
    const seen: number[] = [];
    await load(Array.from({ length: 450 }, (_, n) => user(`person_${n}`)), {
      onProgress: ({ records }) => seen.push(records),
    });
    expect(seen).toEqual([201, 401, 450]);
  });

  test("names the rows it creates, and only those that stay", async () => {
    await load([user("noor")]);
    const created: [string, number][] = [];
    const lines = [user("noor"), user("lena"), { type: "tag", name: "wool" }, user("twin", { email: "a@b.example" })];
    await load([...lines, user("other", { email: "A@b.example" })], {
      skipInvalid: true,
      created: (kind, id) => created.push([kind, id]),
    });
    const ids = await users.idsByUsername(db, ["lena", "twin"]);
    expect(created.toSorted()).toEqual(
      [
        ["user", ids.get("lena")],
        ["tag", (await db.selectFrom("tags").select("id").executeTakeFirstOrThrow()).id],
        ["user", ids.get("twin")],
      ].toSorted(),
    );
  });
});

describe("an id", () => {
  test("is kept where it is free, and the next one goes on after it", async () => {
    await load([user("lena", { id: 500 })]);
    const { id } = await users.create(db, { username: "next", name: "Next" });
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
    expect((await users.create(db, { username: "next", name: "Next" })).id).toBe(2_000_000_001);
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
    const organizations = await db.selectFrom("organizations").select("id").orderBy("id").execute();
    const tags = await db.selectFrom("tags").select("id").orderBy("id").execute();
    expect([organizations, tags]).toEqual([[{ id: 30 }, { id: 31 }], [{ id: 40 }, { id: 41 }]]);
  });
});

describe("a secret", () => {
  test("is stored as a hash, whether it comes as itself or as its hash", async () => {
    const sha256 = keys.keyHash("another").toString("hex");
    await load([
      user("lena", {
        password: "correct horse",
        api_keys: [
          { key: "ink_is_not_needed_here", description: "one" },
          { sha256, description: "two", read_only: true, expires_at: "2027-01-01T00:00:00Z" },
        ],
      }),
    ]);
    const { password_hash } = await storedUser("lena");
    expect(password_hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/);
    expect(await isPassword("correct horse", password_hash ?? "")).toBe(true);
    expect(await isPassword("wrong horse", password_hash ?? "")).toBe(false);
    expect(await keys.authenticate(db, "another", NOW)).toMatchObject({ readOnly: true });
    expect(await keys.authenticate(db, "another", new Date("2027-01-01T00:00:00Z"))).toBeUndefined();
    const dump = JSON.stringify(await everything());
    expect(dump).not.toContain("correct horse");
    expect(dump).not.toContain("ink_is_not_needed_here");
  });

  test("of somebody else's is refused", async () => {
    const api_keys = [{ key: "brought from elsewhere", description: "x" }];
    const lines = [user("lena", { api_keys }), user("noor", { api_keys })];
    await load([lines[0] as object]);
    await expect(load(lines)).rejects.toThrow('line 2, user "noor": one of api_keys belongs to somebody else already');
    expect(await countUsers()).toBe(1);
  });

  test.each([
    [{ password: "a", password_hash: "$x$y" }, "password and password_hash can't both be given"],
    [{ api_keys: [{ description: "x" }] }, "each of api_keys must have either key or sha256"],
    [{ api_keys: [{ key: "k".repeat(20), sha256: "0".repeat(64), description: "x" }] }, "either key or sha256"],
    [{ api_keys: Array(2).fill({ key: "k".repeat(20), description: "x" }) }, "api_keys holds the same key twice"],
    [{ api_keys: Array(21).fill({ key: "k".repeat(20), description: "x" }) }, "api_keys must have at most 20 entries"],
  ])("can't be given in two ways or too often: %j", async (fields, reason) => {
    await expect(load([user("lena", fields)])).rejects.toThrow(reason);
  });

  test("is one of at most 20 with those of before", async () => {
    const some = (prefix: string, length: number) =>
      Array.from({ length }, (_, n) => ({ key: `${prefix} of number ${n}, made long`, description: "x" }));
    await load([user("lena", { api_keys: some("early", 15) })]);
    await expect(load([user("lena", { api_keys: some("late", 6) })])).rejects.toThrow("at most 20 keys per user");
  });
});

describe("the first bad line", () => {
  const good = [user("lena"), user("noor")];

  test("stops the import, and nothing is kept", async () => {
    await expect(load([...good, user("boss", { role: "boss" })])).rejects.toThrow(
      'line 3, user "boss": role must be one of member, moderator, admin, not "boss"',
    );
    expect(await countUsers()).toBe(0);
  });

  test("is the one that is named, whatever finds its fault", async () => {
    const taken = [user("lena", { email: "a@b.example" }), user("noor", { email: "A@B.example" })];
    const badShape = user("boss", { role: "boss" });
    const badRule = user("admin");
    const unknownAuthor = article("a", { author: "nobody" });
    await expect(load([...taken, badShape])).rejects.toThrow('line 2, user "noor": Email has already been taken');
    await expect(load([...taken, badRule])).rejects.toThrow("line 2,");
    await expect(load([user("lena"), badRule, ...taken])).rejects.toThrow('line 2, user "admin": Username "admin" is');
    await expect(load([user("lena"), unknownAuthor, badShape])).rejects.toThrow('line 2, article "a": author "nobody"');
    expect(await countUsers()).toBe(0);
  });

  test.each<[string, Line, string]>([
    ["no JSON", '{"type":"user"', "line 3: the line isn't a JSON object"],
    ["no object", "[1]", "line 3: the line isn't a JSON object"],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "line 3: the line isn't valid UTF-8: save the file in that encoding"],
    ["no type", { username: "x" }, "line 3: type is missing"],
    ["an unknown type", { type: "usr" }, 'line 3: there is no record type "usr"; known are setting, user, organization'],
    ["a type of later versions", { type: "comment" }, "line 3: this version can't hold comment records: leave them out with --only"],
    ["an unknown key", user("x", { nickname: 1 }), 'line 3, user "x": nickname is not a known key; known are username'],
    ["an odd key", user("x", JSON.parse('{"__proto__":1}')), "__proto__ is not a known key"],
    ["a key with an escape", user("x", { "\u001b[2J": 1 }), '"\\u001b[2J" is not a known key'],
    ["a missing key", { type: "user", username: "x" }, 'line 3, user "x": name is missing'],
    ["a missing natural key", { type: "user", name: "x" }, "line 3, user: username is missing"],
    ["a wrong natural key", { type: "user", username: 3, name: "x" }, "line 3, user: username must be a text, not 3"],
    ["a wrong type", user("xx", { suspended: "no" }), 'suspended must be true or false, not "no"'],
    ["null", user("xx", { email: null }), "email must be a text, not null (leave the key out)"],
    ["a list", user("xx", { summary: [[[["x"]]]] }), "summary must be a text, not a list"],
    ["a number that isn't whole", user("xx", { id: 1.5 }), "id must be a whole number from 1 to 2000000000, not 1.5"],
    ["a number out of bounds", user("xx", { id: 0 }), "id must be a whole number from 1 to 2000000000, not 0"],
    ["NUL", user("xx", { summary: "a\0b" }), "summary contains the character NUL: leave it out"],
    ["half a surrogate pair", '{"type":"user","username":"xx","name":"a\\ud800"}', "name contains half of a surrogate pair"],
    ["a date without time", user("xx", { created_at: "2026-03-02" }), "created_at must be a date and time in UTC such as"],
    ["a date in another zone", user("xx", { created_at: "2026-03-02T00:00:00+02:00" }), "created_at must be a date and time"],
    ["a day that isn't", user("xx", { created_at: "2026-02-30T00:00:00Z" }), "created_at must be a date and time in UTC"],
    ["a year of five digits", user("xx", { created_at: "+010000-01-01T00:00:00Z" }), "created_at must be a date and time"],
    ["a nested fault", user("xx", { api_keys: [{ key: "x".repeat(16) }] }), "api_keys[0].description is missing"],
    ["a nested secret", user("xx", { api_keys: [{ key: "short", description: "x" }] }), "api_keys[0].key is too short"],
    ["a bad address", user("xx", { website_url: "javascript:alert(1)" }), "website_url must be a full http or https address"],
    ["a bad username", user("x y"), 'user "x y": Username must have 2 to 30 characters'],
    ["an organization's name", user("weavers"), 'user "weavers": Username has already been taken by an organization'],
    [
      "a user's name",
      { type: "organization", username: "lena", name: "x" },
      'organization "lena": Username has already been taken by a user',
    ],
    [
      "an unknown member",
      { type: "organization", username: "guild", name: "x", members: [{ username: "nobody", role: "member" }] },
      'organization "guild": member "nobody" is not a user of the site or of an earlier line',
    ],
    [
      "a member twice",
      { type: "organization", username: "guild", name: "x", members: Array(2).fill({ username: "lena", role: "admin" }) },
      "members names the same user twice",
    ],
    ["a tag of two words", { type: "tag", name: "two words" }, 'Tag "two words" contains non-alphanumeric'],
    ["two tags in one", { type: "tag", name: "one,two" }, 'name must be one tag of letters and digits, not "one,two"'],
    ["no colour", { type: "tag", name: "wool", bg_color_hex: "red" }, 'bg_color_hex must be a colour such as #f7df1e, not "red"'],
    ["an alias for a later tag", { type: "tag", name: "yarn", alias_for: "later" }, 'alias_for "later" is not a tag of'],
    ["an alias for itself", { type: "tag", name: "silk", alias_for: "silk" }, 'alias_for "silk" is not a tag of'],
    ["an unknown setting", { type: "setting", key: "colour", value: 1 }, 'setting "colour": there is no setting "colour"'],
    ["a wrong setting", { type: "setting", key: "visibility", value: "x" }, "value must be one of public, private, not \"x\""],
    ["a setting that is a list", { type: "setting", key: "visibility", value: [1] }, "value must be a text, a number, or"],
    ["an unknown author", article("a", { author: "nobody" }), 'article "a": author "nobody" is not a user of the site'],
    ["too many tags", article("a", { tags: ["a", "b", "c", "d", "e"] }), "Tag list exceed the maximum of 4 tags"],
    ["too long a line", `"${"x".repeat(MAX_LINE_BYTES)}"`, "line 3: the line is longer than 8 MiB"],
  ])("can have %s", async (_, line, reason) => {
    await db.insertInto("handles").values({ username: "weavers", kind: "organization" }).execute();
    await db.insertInto("organizations").values({ username: "weavers", name: "Weavers" }).execute();
    await expect(load([...good, line, user("late")])).rejects.toThrow(reason);
    expect(await countUsers()).toBe(0);
  });

  test("never repeats a secret", async () => {
    const failure = await load([user("lena", { password: 12_345 })]).catch((error: unknown) => String(error));
    expect(failure).toBe('AppError: line 1, user "lena": password must be a text');
  });

  test("is shown cut short, with nothing that moves a terminal", async () => {
    const failure = await load([user("lena", { role: `\u001b\u009b\u202e${"x".repeat(9_000)}` })]).catch(String);
    expect(failure).toContain('not "\\u001b\\u{9b}\\u{202e}xxx');
    expect(String(failure).length).toBeLessThan(250);
  });
});

describe("years from 0000 to 9999", () => {
  test.each(["0000-01-01T00:00:00Z", "0099-12-31T23:59:59.123Z", "1969-07-20T20:17:40Z", "9999-12-31T23:59:59.999Z"])(
    "are kept: %s",
    async (created_at) => {
      await load([user("lena", { created_at })]);
      const { created_at: stored } = await storedUser("lena");
      expect(stored.toISOString()).toBe(new Date(created_at).toISOString());
      expect(await load([user("lena", { created_at })])).toMatchObject({ unchanged: 1 });
    },
  );
});

describe("with --only", () => {
  test("records of other types are passed over, whatever they hold", async () => {
    const others = [{ type: "comment", x: "\0" }, '{"type": "reaction", broken', { a: 1, type: "follow" }];
    const summary = await load([user("lena"), ...others, article("a"), user("noor")], { only: ["user"] });
    expect(summary).toMatchObject({ records: 6, created: 2, skipped: 4, bad: [] });
  });

  test("only types that can be imported can be named", async () => {
    await expect(load([], { only: ["comment"] })).rejects.toThrow(
      '--only can\'t name "comment": it takes one or more of setting,user,organization,tag,article.',
    );
  });
});

describe("with --skip-invalid", () => {
  const skipping = (lines: Line[]) => load(lines, { skipInvalid: true });

  test("bad records are left out, each with its reason", async () => {
    const summary = await skipping([
      user("lena", { email: "a@b.example" }),
      "nonsense",
      user("noor", { email: "A@B.example" }),
      user("admin"),
      { type: "comment" },
      user("vera", { role: "boss" }),
      article("a", { author: "noor" }),
      article("b"),
      user("yusuf"),
    ]);
    expect(summary).toMatchObject({ records: 9, created: 3, updated: 0, unchanged: 0, skipped: 6 });
    expect(summary.bad).toEqual([
      { line: 2, reason: "the line isn't a JSON object" },
      { line: 3, reason: 'user "noor": Email has already been taken' },
      { line: 4, reason: expect.stringContaining('user "admin": Username "admin" is reserved') },
      { line: 5, reason: expect.stringContaining("this version can't hold comment records") },
      { line: 6, reason: 'user "vera": role must be one of member, moderator, admin, not "boss"' },
      { line: 7, reason: expect.stringContaining('article "a": author "noor" is not a user') },
    ]);
    const ids = await users.idsByUsername(db, ["lena", "noor", "vera", "yusuf"]);
    expect([...ids.keys()].toSorted()).toEqual(["lena", "yusuf"]);
    const handles = await db.selectFrom("handles").select("username").orderBy("username").execute();
    expect(handles).toEqual([{ username: "lena" }, { username: "yusuf" }]);
  });

  test("a line without end costs no memory", async () => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    async function* endless() {
      yield Buffer.from(`${JSON.stringify(user("lena"))}\n`);
      for (let n = 0; n < 200; n++) yield piece;
      yield Buffer.from(`\n${JSON.stringify(user("noor"))}\n`);
    }
    const before = process.memoryUsage().arrayBuffers;
    const summary = await importFile(db, endless(), { renderPool, now: NOW, skipInvalid: true });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    expect(summary).toMatchObject({ created: 2, skipped: 1, bad: [{ line: 2 }] });
  });

  test("counts stay right around bad articles", async () => {
    const long = { video_duration_seconds: 2_147_483_647, score: 2_147_483_647, imported_reactions_count: 2_147_483_647 };
    const lines = [user("lena"), ...Array.from({ length: 30 }, (_, n) => article(`a-${n}`, { tags: ["wool"] }))];
    lines.splice(10, 0, article("too-much", { ...long, title: "x".repeat(300) }), article("1"), article("ok", long));
    const summary = await skipping(lines);
    const published = (await db.selectFrom("published_articles").select("article_id").execute()).length;
    const { value } = await db.selectFrom("counters").select("value").executeTakeFirstOrThrow();
    const { articles_count } = await db.selectFrom("tags").selectAll().executeTakeFirstOrThrow();
    expect(summary.created).toBe(published + 1);
    expect(Number(value)).toBe(published);
    expect(articles_count).toBe(30);
  });
});

describe("an import that ends by something else", () => {
  test("keeps nothing when the file can't be read to its end", async () => {
    async function* broken() {
      for (let n = 0; n < 500; n++) yield `${JSON.stringify(user(`person_${n}`))}\n`;
      throw new Error("the disk is gone");
    }
    await expect(importFile(db, broken(), { renderPool, now: NOW })).rejects.toThrow("the disk is gone");
    expect(await countUsers()).toBe(0);
  });

  test("isn't run again by itself after a deadlock, because its source is read up", async () => {
    let reads = 0;
    async function* source() {
      reads += 1;
      yield `${JSON.stringify(user("lena"))}\n`;
      throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    }
    await expect(importFile(db, source(), { renderPool, now: NOW })).rejects.toThrow("run it again");
    expect(reads).toBe(1);
  });
});

describe("tags", () => {
  test("that stood for a tag stand for what that becomes an alias of", async () => {
    await load([
      { type: "tag", name: "wool" },
      { type: "tag", name: "yarn", alias_for: "wool" },
      { type: "tag", name: "fibre" },
    ]);
    await load([{ type: "tag", name: "wool", alias_for: "fibre" }]);
    await load([{ type: "tag", name: "thread", alias_for: "wool" }]);
    const aliases = await db.selectFrom("tags").select("name").where("alias_for", "is not", null).execute();
    const targets = await db.selectFrom("tags").select("alias_for").distinct().where("alias_for", "is not", null).execute();
    expect(aliases.map(({ name }) => name).toSorted()).toEqual(["thread", "wool", "yarn"]);
    expect(targets).toHaveLength(1);
  });
});
