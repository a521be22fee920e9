import { describe, expect, test } from "vitest";
import { publishedCount } from "../../community/articles/counting.ts";
import { article, importsInto, type Line, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import * as users from "../../community/users/users.ts";

const database = databaseForEach();
const { load, loadFrom, countUsers } = importsInto(database);

describe("with --only", () => {
  test("records of other types are passed over, whatever they hold", async () => {
    const others = [{ type: "comment", x: "\0" }, '{"type": "reaction", broken', { a: 1, type: "follow" }];
    const summary = await load([user("lena"), ...others, article("a"), user("noor")], { only: ["user"] });
    expect(summary).toMatchObject({ records: 6, created: 2, skipped: 4, bad: [] });
  });

  test("only types that can be imported can be named", async () => {
    await expect(load([], { only: ["loom"] })).rejects.toThrow(
      '--only can\'t name "loom": it takes one or more of setting,user,organization,tag,',
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
      { type: "loom" },
      user("vera", { role: "boss" }),
      article("a", { author: "noor" }),
      article("b"),
      user("yusuf"),
    ]);
    expect(summary).toMatchObject({ records: 9, created: 3, updated: 0, unchanged: 0, skipped: 6 });
    expect(summary.bad).toEqual([
      { line: 2, reason: `the line isn't a JSON object: unexpected "n" at character 1` },
      { line: 3, reason: 'user "noor": Email has already been taken' },
      { line: 4, reason: expect.stringContaining('user "admin": Username "admin" is reserved') },
      { line: 5, reason: expect.stringContaining('there is no record type "loom"') },
      { line: 6, reason: 'user "vera": role must be one of member, moderator, admin, not "boss"' },
      { line: 7, reason: expect.stringContaining('article "a": author "noor" is not a user') },
    ]);
    const ids = await users.idsByUsername(database.db, ["lena", "noor", "vera", "yusuf"]);
    expect([...ids.keys()].toSorted()).toEqual(["lena", "yusuf"]);
    const handles = await database.db.selectFrom("handles").select("username").orderBy("username").execute();
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
    const summary = await loadFrom(endless(), { skipInvalid: true });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    expect(summary).toMatchObject({ created: 2, skipped: 1, bad: [{ line: 2 }] });
  });

  test("counts stay right around bad articles", async () => {
    const long = {
      video_duration_seconds: 1_000_000_000,
      score: 2_000_000_000,
      imported_reactions_count: 1_000_000_000,
    };
    const lines = [
      user("lena"),
      ...Array.from({ length: 30 }, (_, n) => article(`a-${n}`, { tags: ["wool"] })),
    ];
    lines.splice(
      10,
      0,
      article("too-much", { ...long, title: "x".repeat(300) }),
      article("1"),
      article("ok", long),
    );
    const summary = await skipping(lines);
    const published = (await database.db.selectFrom("published_articles").select("article_id").execute())
      .length;
    const { articles_count } = await database.db.selectFrom("tags").selectAll().executeTakeFirstOrThrow();
    expect(summary.created).toBe(published + 1);
    expect(await publishedCount(database.db)).toBe(published);
    expect(articles_count).toBe(30);
  });
});

describe("an import that ends by something else", () => {
  test("keeps nothing when the file can't be read to its end", async () => {
    async function* broken() {
      for (let n = 0; n < 500; n++) yield `${JSON.stringify(user(`person_${n}`))}\n`;
      throw new Error("the disk is gone");
    }
    await expect(loadFrom(broken())).rejects.toThrow("the disk is gone");
    expect(await countUsers()).toBe(0);
  });

  test("isn't run again by itself after a deadlock, because its source is read up", async () => {
    let reads = 0;
    async function* source() {
      reads += 1;
      yield `${JSON.stringify(user("lena"))}\n`;
      throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    }
    await expect(loadFrom(source())).rejects.toThrow("run it again");
    expect(reads).toBe(1);
  });
});
