import { beforeAll, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import * as notifications from "../../community/notifications/notifications.ts";
import * as users from "../../community/users/users.ts";

const database = databaseForAll();
const run = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));
const inkstone = (args: string[]) => run(...args);

beforeAll(async () => {
  for (const username of ["lena", "noor"])
    await users.create(operator(database.db), { username, name: username });
});

test("inkstone notification list prints a person's notifications", async () => {
  const list = (...args: string[]) => inkstone(["notification", "list", "--user", ...args]);
  expect((await list("lena")).out).toBe("lena has no notifications.\n");
  expect((await list("lena", "--json")).out).toBe("[]\n");
  const { db } = database;
  const article = {
    author_id: 2,
    slug: "looms-1a",
    title: "Looms",
    description: "",
    body_markdown: "@lena",
    body_html: "<p>@lena</p>",
    renderer_version: 1,
    state: "published",
    published_at: new Date(),
  };
  await db.insertInto("articles").values(article).execute();
  await inTransaction(db, (tx) => events.record(tx, "article_published", { article_id: 1 }));
  await notifications.fanOut(db, new Date("2026-03-01T10:00:00.5Z"));
  expect((await list("Lena")).out).toBe("2026-03-01 10:00:00 UTC  mention: Looms (/noor/looms-1a)\n");
  expect(JSON.parse((await list("lena", "--json")).out)).toEqual([
    {
      id: expect.any(Number),
      kind: "mention",
      created_at: "2026-03-01T10:00:00Z",
      read_at: null,
      article_id: 1,
      title: "Looms",
      path: "/noor/looms-1a",
    },
  ]);
  expect(await list("nobody")).toMatchObject({ code: 1, err: 'inkstone: There is no user "nobody".\n' });
});

test("inkstone doctor --verify fails on a database that contradicts itself, and names the rows", async () => {
  const broken = await inkstone(["doctor", "--verify"]);
  expect(broken.code).toBe(1);
  expect(broken.out).toMatch(
    /^fail {2}published articles: 1 fault\. .+\n {8}The article 1 is published, but not listed\.$/m,
  );
  expect((await inkstone(["doctor"])).out).not.toContain("published articles:");
  await database.db.deleteFrom("articles").execute();
  const { out } = await inkstone(["doctor", "--verify", "--json"]);
  const findings = JSON.parse(out) as { check: string; result: string }[];
  const failing = findings.filter(({ result }) => result === "fail").map(({ check }) => check);
  // A test server may be set to forget.
  expect(failing.filter((check) => check !== "durability")).toEqual([]);
  expect(findings.map(({ check }) => check)).toContain("published articles");
});
