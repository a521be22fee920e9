import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../../test/database.ts";
import { type Outcome, runProgram, urlOf } from "../../test/program.ts";

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

function inkstone(
  args: string[],
  { env = {}, input }: { env?: object; input?: string } = {},
): Promise<Outcome> {
  const settings = { DATABASE_URL: urlOf(database.name), ...env };
  return runProgram(args, { cwd: folder, env: settings, ...(input !== undefined && { input }) });
}

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

test("the exit code of wrong usage is the program's", async () => {
  expect(await inkstone(["nonsense"])).toMatchObject({ code: 2, out: "" });
});

test("inkstone openapi prints the description without a database", async () => {
  const { code, out } = await inkstone(["openapi"], { env: { DATABASE_URL: "postgres://x@127.0.0.1:1/x" } });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ openapi: "3.1.0", paths: { "/api/articles/search": {} } });
});
