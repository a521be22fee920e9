import { beforeAll, describe, expect, test } from "vitest";
import { commandsWith } from "../../test/own-commands.ts";
import { databaseForAll } from "../../test/own-database.ts";
import { urlOf } from "../../test/program.ts";
import * as users from "../users/users.ts";

const database = databaseForAll();
beforeAll(async () => {
  await users.create(database.db, { username: "ada", name: "Ada", role: "admin" });
  await users.create(database.db, { username: "lena", name: "Lena" });
});
const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));

describe("inkstone user", () => {
  test("suspends somebody and takes it back", async () => {
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

  test("gives somebody another role", async () => {
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
      err: "inkstone: The site needs an admin who isn't suspended: make somebody else an admin first.\n",
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
