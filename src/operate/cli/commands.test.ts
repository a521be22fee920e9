import { describe, expect, test } from "vitest";
import { commandsWith, type Outcome, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const run = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));
const inkstone = (args: string[]) => run(...args);

const parse = ({ out }: Outcome): unknown => JSON.parse(out);

describe("inkstone migrate", () => {
  test("says that nothing is left to do", async () => {
    expect(await inkstone(["migrate"])).toEqual({ code: 0, out: "The schema is up to date.\n", err: "" });
    expect(parse(await inkstone(["migrate", "--json"]))).toEqual({ ran: [] });
  });

  test("is named by commands that meet another schema", async () => {
    const { superuser: db } = database;
    const strange = { name: "9999-later.sql", checksum: "x", kind: "contract" };
    await db.insertInto("schema_migrations").values(strange).execute();
    const newer = await inkstone(["settings", "get"]);
    const migrated = await inkstone(["migrate", "--json"]);
    await db.deleteFrom("schema_migrations").where("name", "=", strange.name).execute();
    expect(newer).toMatchObject({ code: 1, out: "" });
    expect(newer.err).toMatch(
      /^inkstone: The database's schema is newer than this program: start the version of/,
    );
    expect(JSON.parse(migrated.err)).toEqual({ error: expect.stringContaining("newer than this program") });
  });
});

describe("inkstone user create", () => {
  test("makes an account and a key that work", async () => {
    const made = await inkstone("user create --username Lena --name Léna --role admin --with-key".split(" "));
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toMatch(
      /^Created the admin lena with the id 1\.\nAPI key, shown only now: ink_\w{38}\n$/,
    );
  });

  test("prints JSON for scripts", async () => {
    const args = ["user", "create", "--username", "noor", "--name", "Noor", "--json"];
    expect(parse(await inkstone([...args, "--with-key"]))).toEqual({
      id: expect.any(Number),
      username: "noor",
      api_key: expect.stringMatching(/^ink_/),
    });
    const { code, out, err } = await inkstone(args);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: '{"error":"Username has already been taken."}\n',
    });
  });

  test("refuses what can't be", async () => {
    const refused = await inkstone(["user", "create", "--username", "admin", "--name", "x"]);
    expect(refused).toMatchObject({
      code: 1,
      err: 'inkstone: Username "admin" is reserved: choose another.\n',
    });
  });
});

describe("inkstone settings", () => {
  test("are set and got", async () => {
    const set = await inkstone(["settings", "set", "community_name", "Loom Folk"]);
    expect(set).toEqual({ code: 0, out: 'community_name is now "Loom Folk".\n', err: "" });
    expect(parse(await inkstone(["settings", "set", "read_rate", "7", "--json"]))).toEqual({
      key: "read_rate",
      value: 7,
    });
    expect((await inkstone(["settings", "get", "community_name"])).out).toBe("Loom Folk\n");
    expect((await inkstone(["settings", "get"])).out).toMatch(
      /^community_name: Loom Folk\n[^]*\nread_rate: 7\n/,
    );
    expect(parse(await inkstone(["settings", "get", "--json"]))).toMatchObject({
      community_name: "Loom Folk",
      read_rate: 7,
    });
    expect(parse(await inkstone(["settings", "get", "read_rate", "--json"]))).toBe(7);
  });
});

test("inkstone demo is loaded once, and removed", async () => {
  const loaded = await inkstone(["demo"]);
  expect(loaded).toMatchObject({ code: 0, err: "" });
  expect(loaded.out).toMatch(/^Loaded 12 users, 2 organizations, \d+ tags and \d+ articles\.\n$/);
  expect((await inkstone(["demo"])).out).toBe("The demo is already loaded.\n");
  expect(parse(await inkstone(["demo", "--remove", "--json"]))).toMatchObject({
    users: 12,
    organizations: 2,
  });
  expect((await inkstone(["demo", "--remove"])).out).toBe("There is no demo to remove.\n");
});
