import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectionTo, createDatabase } from "../../test/database.ts";
import { VERSION } from "../config.ts";

const PROGRAM = join(import.meta.dirname, "..", "cli.ts");

interface Outcome {
  code: number;
  out: string;
  err: string;
}

let database: Awaited<ReturnType<typeof createDatabase>>;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "inkstone-cli-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function urlOf(name: string): string {
  const { connectionString, host, port, user } = connectionTo(name);
  return (
    connectionString ?? `postgres:///${name}?host=${encodeURIComponent(host ?? "")}&port=${port}&user=${user}`
  );
}

/** Runs the program as a person would, in a folder of its own. */
function inkstone(
  args: string[],
  { env = {}, input }: { env?: object; input?: string } = {},
): Promise<Outcome> {
  const surroundings = { PATH: process.env["PATH"], DATABASE_URL: urlOf(database.name), ...env };
  return new Promise((resolve) => {
    const tsx = import.meta.resolve("tsx");
    const child = execFile(
      process.execPath,
      ["--import", tsx, PROGRAM, ...args],
      { cwd: folder, env: surroundings },
      (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}

const parse = ({ out }: Outcome): unknown => JSON.parse(out);
const file = async (name: string, lines: object[]) => {
  await writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return name;
};

describe("help", () => {
  test.each([["serve"], ["migrate"], ["import"], ["export"], ["user", "create"], ["key", "create"]])(
    "of %s %s has a description and an example",
    async (...command) => {
      const { code, out } = await inkstone([...command, "--help"]);
      expect(code).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}/);
    },
  );

  test.each([["settings", "get"], ["settings", "set"], ["demo"], ["doctor"], ["openapi"]])(
    "of %s %s, too",
    async (...command) => {
      expect((await inkstone([...command, "--help"])).out).toMatch(/Examples?:\n {2}/);
    },
  );

  test("is shown for want of a command, as wrong usage", async () => {
    const { code, out, err } = await inkstone([]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Usage: inkstone");
  });

  test("knows the version", async () => {
    expect(await inkstone(["--version"])).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
  });
});

describe("wrong usage", () => {
  test.each([
    [["nonsense"], "inkstone: Unknown command 'nonsense'. See `inkstone help`.\n"],
    [["serv"], "inkstone: Unknown command 'serv' (Did you mean serve?). See `inkstone help`.\n"],
    [["migrate", "--fast"], "inkstone: Unknown option '--fast'. See `inkstone help`.\n"],
    [["import"], "inkstone: Missing required argument 'file'. See `inkstone help`.\n"],
    [["user", "create", "--name", "x"], "inkstone: Required option '--username <username>' not specified."],
    [
      ["user", "create", "--username", "x", "--name", "x", "--role", "boss"],
      "Allowed choices are member, moderator, admin.",
    ],
    [
      ["key", "create", "--user", "x", "--description", "y", "--expires", "soon"],
      "It must be a date like 2027-01-31",
    ],
  ])("is one line and exit code 2: %j", async (args, sentence) => {
    const { code, out, err } = await inkstone(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(sentence);
    expect(err.split("\n")).toHaveLength(2);
  });

  test("is JSON with --json", async () => {
    const { code, err } = await inkstone(["settings", "set", "a", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(err)).toEqual({ error: "Missing required argument 'value'. See `inkstone help`." });
  });
});

describe("the settings of the process", () => {
  test("come from .env, and the environment wins", async () => {
    await writeFile(join(folder, ".env"), "PORT=nonsense\nLOG_LEVEL=info\n");
    const refused = await inkstone(["migrate"]);
    const served = await inkstone(["migrate"], { env: { PORT: "3000" } });
    await rm(join(folder, ".env"));
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(
      'PORT must be a whole number from 0 to 65535 (0 takes any free port), not "nonsense".',
    );
    expect(served.code).toBe(0);
  });
});

describe("a database that can't be used", () => {
  const refusalOf = (DATABASE_URL: string) => inkstone(["settings", "get"], { env: { DATABASE_URL } });

  test("is refused in one sentence when nobody answers", async () => {
    const { code, err } = await refusalOf("postgres://nobody:secret-word@127.0.0.1:1/x");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^inkstone: The database can't be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\): start it/,
    );
    expect(err.split("\n")).toHaveLength(2);
    expect(err).not.toContain("secret-word");
  });

  test("is refused in one sentence when it doesn't exist", async () => {
    const { code, err } = await refusalOf(urlOf("inkstone_there_is_none"));
    expect(code).toBe(1);
    expect(err).toMatch(
      /^inkstone: The database named in DATABASE_URL doesn't exist: create it with `createdb`/,
    );
  });

  test("has a stack only for whoever asks for it", async () => {
    const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/x", LOG_LEVEL: "debug" };
    expect((await inkstone(["settings", "get"], { env })).err).toMatch(/\n {4}at /);
  });
});

describe("inkstone migrate", () => {
  test("says that nothing is left to do", async () => {
    expect(await inkstone(["migrate"])).toEqual({ code: 0, out: "The schema is up to date.\n", err: "" });
    expect(parse(await inkstone(["migrate", "--json"]))).toEqual({ ran: [] });
  });

  test("is told of by commands that meet another schema", async () => {
    const { db } = database.connection;
    const strange = { name: "9999-later.sql", checksum: "x" };
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

describe("inkstone user create and key create", () => {
  test("make an account and keys that work", async () => {
    const made = await inkstone([
      "user",
      "create",
      "--username",
      "Lena",
      "--name",
      "Léna",
      "--role",
      "admin",
      "--with-key",
    ]);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toMatch(
      /^Created the admin lena with the id 1\.\nAPI key, shown only now: ink_\w{38}\n$/,
    );
    const args = [
      "key",
      "create",
      "--user",
      "LENA",
      "--description",
      "Sync",
      "--read-only",
      "--expires",
      "2999-01-31",
    ];
    const key = parse(await inkstone([...args, "--json"]));
    expect(key).toEqual({ id: 2, api_key: expect.stringMatching(/^ink_\w{38}$/) });
    const stored = await database.connection.db
      .selectFrom("api_keys")
      .selectAll()
      .where("id", "=", 2)
      .executeTakeFirst();
    expect(stored).toMatchObject({
      description: "Sync",
      read_only: true,
      expires_at: new Date("2999-01-31"),
    });
  });

  test("print JSON for scripts", async () => {
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

  test("refuse what can't be", async () => {
    const refused = await inkstone(["user", "create", "--username", "admin", "--name", "x"]);
    expect(refused).toMatchObject({
      code: 1,
      err: 'inkstone: Username "admin" is reserved: choose another.\n',
    });
    const unknown = await inkstone(["key", "create", "--user", "nobody", "--description", "x"]);
    expect(unknown).toMatchObject({ code: 1, err: 'inkstone: There is no user "nobody".\n' });
    const past = await inkstone([
      "key",
      "create",
      "--user",
      "lena",
      "--description",
      "x",
      "--expires",
      "2020-01-31",
    ]);
    expect(past).toMatchObject({ code: 1, err: "inkstone: Expires at must be in the future.\n" });
  });
});

describe("inkstone settings", () => {
  test("are set and got", async () => {
    const set = await inkstone(["settings", "set", "community_name", "Loom Folk"]);
    expect(set).toEqual({ code: 0, out: "community_name is now Loom Folk.\n", err: "" });
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

  test("refuse what isn't allowed", async () => {
    const value = await inkstone(["settings", "set", "visibility", "hidden"]);
    expect(value).toMatchObject({
      code: 1,
      err: 'inkstone: visibility must be one of public, private, not "hidden".\n',
    });
    for (const args of [
      ["get", "colour"],
      ["set", "colour", "red"],
    ]) {
      const { code, err } = await inkstone(["settings", ...args]);
      expect(code).toBe(1);
      expect(err).toMatch(/^inkstone: There is no setting "colour"\. Known are: community_name, /);
    }
  });
});

describe("inkstone import and export", () => {
  const tag = (name: string) => ({ type: "tag", name });

  test("import a file and say what it did", async () => {
    const name = await file("tags.ndjson", [tag("wool"), tag("silk")]);
    const first = await inkstone(["import", name]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(
      /^Imported 2 records in [\d.]+ s: 2 created, 0 updated, 0 unchanged, 0 skipped\.\n$/,
    );
    const { seconds, ...summary } = parse(await inkstone(["import", name, "--json"])) as { seconds: number };
    expect(summary).toEqual({ records: 2, created: 0, updated: 0, unchanged: 2, skipped: 0, bad: [] });
    expect(seconds).toBeGreaterThanOrEqual(0);
  });

  test("import standard input, all of it or what is wanted", async () => {
    const input = [tag("linen"), { type: "tag", name: "a b" }, { type: "comment" }]
      .map((line) => JSON.stringify(line))
      .join("\n");
    const refused = await inkstone(["import", "-"], { input });
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^inkstone: line 2, tag "a b": Tag "a b" contains non-alphanumeric/);
    const asJson = await inkstone(["import", "-", "--json"], { input });
    expect(JSON.parse(asJson.err)).toEqual({ error: expect.stringContaining('line 2, tag "a b"') });
    const some = await inkstone(["import", "-", "--only", "tag", "--skip-invalid"], { input });
    expect(some.out).toMatch(
      /^Imported 3 records in [\d.]+ s: 1 created, 0 updated, 0 unchanged, 2 skipped\.\n$/,
    );
    expect(some.err).toMatch(
      /^line 2: tag "a b": Tag "a b" contains non-alphanumeric or prohibited unicode characters\n$/,
    );
    const json = parse(
      await inkstone(["import", "-", "--only", "tag", "--skip-invalid", "--json"], { input }),
    );
    expect(json).toMatchObject({ records: 3, unchanged: 1, skipped: 2, bad: [{ line: 2 }] });
  });

  test("refuse a file that isn't there", async () => {
    expect(await inkstone(["import", "nothing.ndjson"])).toMatchObject({
      code: 1,
      err: "inkstone: nothing.ndjson can't be used: there is no such file.\n",
    });
    expect((await inkstone(["import", "."])).err).toBe("inkstone: . can't be used: it is a directory.\n");
    expect((await inkstone(["export", "no/where"])).err).toBe(
      "inkstone: no/where.part can't be used: there is no such file.\n",
    );
    expect((await inkstone(["export", "x", "--only", "tags"])).err).toContain('--only can\'t name "tags"');
  });

  test("export to a file that only its owner reads, and to standard output", async () => {
    const written = await inkstone(["export", "site.ndjson", "--with-secrets"]);
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(written.out).toMatch(/^Wrote \d+ records to site\.ndjson\.\n$/);
    const text = await readFile(join(folder, "site.ndjson"), "utf8");
    expect((await stat(join(folder, "site.ndjson"))).mode & 0o777).toBe(0o600);
    expect(text).toContain('"sha256"');
    const piped = await inkstone(["export", "--with-secrets"]);
    expect(piped).toEqual({ code: 0, out: text, err: "" });
    expect((await inkstone(["export", "--only", "tag"])).out).toMatch(/^(\{"type":"tag",.*\}\n)+$/);
    expect(parse(await inkstone(["export", "site.ndjson", "--json"]))).toEqual({
      records: expect.any(Number),
    });
    expect(await readFile(join(folder, "site.ndjson"), "utf8")).not.toContain('"sha256"');
  });

  test("leave the file of before when an export fails", async () => {
    await writeFile(join(folder, "kept.ndjson"), "before");
    const { code } = await inkstone(["export", "kept.ndjson"], {
      env: { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    });
    expect(code).toBe(1);
    expect(await readFile(join(folder, "kept.ndjson"), "utf8")).toBe("before");
    await chmod(join(folder, "kept.ndjson"), 0o600);
  });
});

describe("inkstone doctor", () => {
  test("has a line for every check", async () => {
    const { out, err } = await inkstone(["doctor"]);
    expect(err).toBe("");
    const checks = out
      .trimEnd()
      .split("\n")
      .map((line) => /^(?:ok|warn|fail) +([a-z ]+): /.exec(line)?.[1]);
    expect(checks).toEqual([
      "node",
      "account",
      "address",
      "health checks",
      "disk",
      "engine",
      "database",
      "schema",
      "durability",
      "encoding",
      "extension",
      "clock",
    ]);
  });

  test("fails when a check fails, and says how to mend it", async () => {
    const { code, out } = await inkstone(["doctor", "--json"], {
      env: { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toContainEqual({
      check: "database",
      result: "fail",
      message: expect.stringContaining(
        "The database can't be reached (connect ECONNREFUSED 127.0.0.1:1): start it",
      ),
    });
    const wrong = await inkstone(["doctor"], { env: { PORT: "x" } });
    expect(wrong).toMatchObject({ code: 1, err: "" });
    expect(wrong.out).toMatch(/^fail {2}configuration: .*PORT must be a whole number.*\n$/);
  });

  test("makes nothing where there is no site yet", async () => {
    const DATA_DIR = join(folder, "new");
    const { out } = await inkstone(["doctor"], { env: { DATABASE_URL: "", DATA_DIR } });
    expect(out).toContain("database: Not set up yet: `inkstone serve` does it.");
    await expect(stat(DATA_DIR)).rejects.toThrow("ENOENT");
  });
});

test("inkstone openapi prints the description without a database", async () => {
  const { code, out } = await inkstone(["openapi"], { env: { DATABASE_URL: "postgres://x@127.0.0.1:1/x" } });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ openapi: "3.1.0", paths: { "/api/articles/search": {} } });
});

test("inkstone demo is loaded once, and removed", async () => {
  const loaded = await inkstone(["demo"]);
  expect(loaded).toMatchObject({ code: 0, err: "" });
  expect(loaded.out).toMatch(/^Loaded 12 people, 2 organizations, \d+ tags and \d+ articles\.\n$/);
  expect((await inkstone(["demo"])).out).toBe("The demo is there already.\n");
  expect(parse(await inkstone(["demo", "--remove", "--json"]))).toMatchObject({
    users: 12,
    organizations: 2,
  });
  expect((await inkstone(["demo", "--remove"])).out).toBe("There is no demo to remove.\n");
});
