import { Readable } from "node:stream";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { publishedCount } from "../../community/articles/counting.ts";
import { article, bytesOf, importsInto, type Line, NOW, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import * as users from "../../community/users/users.ts";

const database = databaseForEach();
const { load, loadFrom, storedUser } = importsInto(database);

/** Everything that an import could change. */
const everything = async () => {
  const tables = ["users", "api_keys", "organizations", "organization_members", "tags", "articles"] as const;
  const rows = await Promise.all(tables.map((table) => database.db.selectFrom(table).selectAll().execute()));
  const settings = await database.db.selectFrom("settings").selectAll().execute();
  const published = await publishedCount(database.db);
  const lists = await database.db
    .selectFrom("published_articles")
    .selectAll()
    .orderBy("article_id")
    .execute();
  return { rows, settings, published, lists };
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
  {
    type: "tag",
    name: "wool",
    bg_color_hex: "#ffffff",
    text_color_hex: "#000000",
    short_summary: "Of sheep.",
  },
  { type: "tag", name: "yarn", alias_for: "wool" },
  article("first-loom", { id: 12, organization: "weavers", tags: ["yarn", "looms"], series: "Looms" }),
  article("draft", { published: false, published_at: undefined }),
];

describe("a community file", () => {
  test("brings settings, people, organizations, tags and articles", async () => {
    const summary = await load(SITE);
    const made = (created: number) => ({ created, updated: 0, unchanged: 0 });
    const types = { setting: made(2), user: made(2), organization: made(1), tag: made(2), article: made(2) };
    expect(summary).toEqual({ records: 9, ...made(9), skipped: 0, bad: [], types });
    expect(await storedUser("lena")).toMatchObject({ id: 41, name: "Léna", role: "admin", origin: "import" });
    expect((await storedUser("lena")).created_at).toEqual(new Date("2022-03-02T08:15:00Z"));
    expect((await storedUser("noor")).created_at).toEqual(NOW);
    const loom = await database.db
      .selectFrom("articles")
      .selectAll()
      .where("slug", "=", "first-loom")
      .executeTakeFirstOrThrow();
    expect(loom).toMatchObject({ id: 12, author_id: 41, organization_id: 7, tag_list: ["wool", "looms"] });
    const wool = await database.db
      .selectFrom("tags")
      .selectAll()
      .where("name", "=", "wool")
      .executeTakeFirstOrThrow();
    expect(wool.articles_count).toBe(1);
    expect(await publishedCount(database.db)).toBe(1);
  });

  test("changes nothing the second time", async () => {
    await load(SITE);
    const before = await everything();
    expect(await load(SITE, { now: new Date("2026-04-01T00:00:00Z") })).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 9,
    });
    expect(await everything()).toEqual(before);
  });

  test("updates what has changed and leaves alone what it doesn't mention", async () => {
    await load(SITE);
    const summary = await load([
      user("LENA", { name: "Helena", id: 99 }),
      user("noor", { location: "Utrecht" }),
      {
        type: "organization",
        username: "weavers",
        name: "Weavers",
        members: [{ username: "noor", role: "admin" }],
      },
      { type: "tag", name: "WOOL", bg_color_hex: "#123456" },
      { type: "setting", key: "read_rate", value: 51 },
    ]);
    expect(summary).toMatchObject({ created: 0, updated: 5, unchanged: 0 });
    expect(await storedUser("lena")).toMatchObject({
      id: 41,
      name: "Helena",
      role: "admin",
      location: "Lyon",
    });
    const members = await database.db
      .selectFrom("organization_members")
      .select(["user_id", "role"])
      .execute();
    expect(members).toEqual([{ user_id: (await storedUser("noor")).id, role: "admin" }]);
    const wool = await database.db
      .selectFrom("tags")
      .selectAll()
      .where("name", "=", "wool")
      .executeTakeFirstOrThrow();
    expect(wool).toMatchObject({
      bg_color_hex: "#123456",
      text_color_hex: "#000000",
      short_summary: "Of sheep.",
    });
  });

  test("empties a text by an empty text", async () => {
    await load(SITE);
    await load([user("lena", { name: "Léna", location: " ", website_url: "" })]);
    expect(await storedUser("lena")).toMatchObject({
      location: null,
      website_url: null,
      summary: "Weaves.\nMends.",
    });
  });

  test("may hold a record twice; the later one counts", async () => {
    const summary = await load([user("lena"), user("Lena", { name: "Later" })]);
    expect(summary).toMatchObject({ created: 1, updated: 1 });
    expect((await storedUser("lena")).name).toBe("Later");
  });

  test("notifies no person", async () => {
    await load(SITE);
    expect(await database.db.selectFrom("events").selectAll().execute()).toEqual([]);
  });

  test("may have empty lines, Windows line ends, a byte order mark and no end of line", async () => {
    const text = `\ufeff${JSON.stringify(user("lena"))}\r\n\r\n\n${JSON.stringify(user("noor"))}`;
    const summary = await loadFrom(Readable.from([text]));
    expect(summary).toMatchObject({ records: 2, created: 2 });
  });

  test("may arrive in pieces of any size", async () => {
    const bytes = bytesOf([user("lena", { name: "Léna 山田" }), user("noor")]);
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await loadFrom(Readable.from(pieces))).toMatchObject({
      created: 2,
    });
    expect((await storedUser("lena")).name).toBe("Léna 山田");
  });

  test("tells its progress", async () => {
    const seen: number[] = [];
    await load(
      Array.from({ length: 450 }, (_, n) => user(`person_${n}`)),
      {
        onProgress: ({ records }) => seen.push(records),
      },
    );
    expect(seen).toEqual([201, 401, 450]);
  });

  test("names the rows it creates, and only those that stay", async () => {
    await load([user("noor")]);
    const created: string[] = [];
    const lines = [
      user("noor"),
      user("lena"),
      { type: "tag", name: "wool" },
      user("twin", { email: "a@b.example" }),
    ];
    await load([...lines, user("other", { email: "A@b.example" })], {
      skipInvalid: true,
      created: (kind, id) => created.push(`${kind} ${id}`),
    });
    const ids = await users.idsByUsername(database.db, ["lena", "twin"]);
    const { id: tagId } = await database.db.selectFrom("tags").select("id").executeTakeFirstOrThrow();
    expect(created).toEqual([`user ${ids.get("lena")}`, `tag ${tagId}`, `user ${ids.get("twin")}`]);
  });
});

test("no trigger of a whole insert or update keeps memory for each batch", async () => {
  const { rows } = await sql`
    select tgname from pg_trigger
    where not tgisinternal and tgtype & 1 = 0 and tgtype & (4 | 16) <> 0`.execute(database.db);
  expect(rows).toEqual([]);
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
    const aliases = await database.db
      .selectFrom("tags")
      .select("name")
      .where("alias_for", "is not", null)
      .execute();
    const targets = await database.db
      .selectFrom("tags")
      .select("alias_for")
      .distinct()
      .where("alias_for", "is not", null)
      .execute();
    expect(aliases.map(({ name }) => name).toSorted()).toEqual(["thread", "wool", "yarn"]);
    expect(targets).toHaveLength(1);
  });
});
