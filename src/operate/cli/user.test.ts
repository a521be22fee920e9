import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import * as users from "../../community/users/users.ts";

const database = databaseForAll();
beforeAll(async () => {
  await users.create(operator(database.db), { username: "ada", name: "Ada", role: "admin" });
  await users.create(operator(database.db), { username: "lena", name: "Lena" });
});
const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));

describe("inkstone user", () => {
  test("suspends a person and takes it back", async () => {
    expect(await inkstone("user", "suspend", "LENA")).toEqual({
      code: 0,
      out: "Suspended lena.\n",
      err: "",
    });
    const again = await inkstone("user", "suspend", "lena", "--json");
    expect(JSON.parse(again.out)).toEqual({ id: 2, username: "lena", suspended: true, changed: false });
    const back = await inkstone("user", "unsuspend", "lena", "--json");
    expect(JSON.parse(back.out)).toEqual({ id: 2, username: "lena", suspended: false, changed: true });
    expect((await inkstone("user", "unsuspend", "lena")).out).toBe("lena is not suspended.\n");
  });

  test("suspends a person and hides what readers see of them, which stays so", async () => {
    const mine = { author: "pest", body_markdown: "Buy now" };
    const records = [
      { type: "user", username: "pest", name: "Pest" },
      { type: "article", slug: "out", title: "Out", published_at: "2026-01-01T00:00:00Z", ...mine },
      { type: "article", slug: "soon", title: "Soon", published_at: "2099-01-01T00:00:00Z", ...mine },
      { type: "listing", slug: "cheap", title: "Cheap", category: "misc", ...mine },
      { type: "comment", article: "out", ...mine },
    ];
    const file = join(await mkdtemp(join(tmpdir(), "inkstone-")), "pest.ndjson");
    await writeFile(file, records.map((record) => JSON.stringify(record)).join("\n"));
    expect(await inkstone("import", file)).toMatchObject({ code: 0 });
    expect((await inkstone("user", "suspend", "pest", "--hide-content")).out).toBe(
      "Suspended pest. Hid 4 posts.\n",
    );
    const again = await inkstone("user", "suspend", "pest", "--hide-content", "--json");
    expect(JSON.parse(again.out)).toMatchObject({ hidden: 0 });
    await inkstone("user", "unsuspend", "pest");
    const { db } = database;
    expect(
      await db.selectFrom("articles").select(["state", "unpublish_reason"]).orderBy("state").execute(),
    ).toEqual([
      { state: "draft", unpublish_reason: "The account was suspended" },
      { state: "unpublished", unpublish_reason: "The account was suspended" },
    ]);
    expect(await db.selectFrom("listings").select("published").execute()).toEqual([{ published: false }]);
    expect(await db.selectFrom("comments").select("hidden").execute()).toEqual([{ hidden: true }]);
    expect((await inkstone("user", "delete", "pest", "--yes")).code).toBe(0);
  });

  test("gives a person another role", async () => {
    expect((await inkstone("user", "role", "Lena", "moderator")).out).toBe("lena is now a moderator.\n");
    const same = await inkstone("user", "role", "lena", "moderator", "--json");
    expect(JSON.parse(same.out)).toEqual({ id: 2, username: "lena", role: "moderator", changed: false });
  });

  test.each([
    [["suspend", "ada"], 1],
    [["role", "ada", "member"], 1],
  ])("keeps the last admin: %j", async (args, code) => {
    expect(await inkstone("user", ...args)).toEqual({
      code,
      out: "",
      err: "inkstone: The site needs an admin who isn't suspended: make another user an admin first.\n",
    });
  });

  test.each([
    [["suspend", "nobody"], 1, 'inkstone: There is no user "nobody".\n'],
    [["role", "nobody", "admin"], 1, 'inkstone: There is no user "nobody".\n'],
    [["role", "lena", "king"], 2, /Allowed choices are member, moderator, admin/],
    [["role", "lena"], 2, /missing required argument/i],
  ])("refuses %j in one line", async (args, code, sentence) => {
    const outcome = await inkstone("user", ...args);
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    expect(outcome.err).toMatch(sentence);
    expect(outcome.err.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("inkstone user", () => {
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);

  test("shows one", async () => {
    const shown = await inkstone("user", "show", "Ada");
    expect(shown.out).toMatch(
      /^id: 1\nusername: ada\nname: Ada\nrole: admin\nsuspended: false\ncreated_at: .+ UTC\n/,
    );
    expect(shown.out).not.toContain("email");
    expect(JSON.parse((await inkstone("user", "show", "ada", "--json")).out)).toMatchObject({
      id: 1,
      email: null,
      created_at: at,
      comments: 0,
      organizations: [],
    });
  });

  test("deletes one, but nothing without a confirmation", async () => {
    await inkstone("user", "create", "--username", "gone", "--name", "Gone");
    for (const args of [[], ["--json"]]) {
      const asked = await inkstone("user", "delete", "gone", ...args);
      expect(asked).toMatchObject({ code: 1, out: "" });
      expect(asked.err).toContain("This deletes gone for good: confirm it with --yes");
    }
    expect((await inkstone("user", "show", "gone")).code).toBe(0);
    expect(await inkstone("user", "delete", "gone", "--yes")).toEqual({
      code: 0,
      out: "Deleted gone with 0 articles and 0 images, and emptied 0 comments.\n",
      err: "",
    });
    expect((await inkstone("user", "show", "gone")).err).toBe('inkstone: There is no user "gone".\n');
    expect((await inkstone("user", "delete", "ada", "--yes")).err).toContain("The site needs an admin");
  });
});
