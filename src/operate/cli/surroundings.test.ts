import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { programForAll } from "../../../test/commands.ts";

const site = programForAll();
const { inkstone } = site;

describe("the settings of the process", () => {
  test("come from .env, and the environment wins", async () => {
    await writeFile(join(site.folder, ".env"), "PORT=nonsense\nLOG_LEVEL=info\n");
    const refused = await inkstone(["migrate"]);
    const served = await inkstone(["migrate"], { env: { PORT: "3000" } });
    await rm(join(site.folder, ".env"));
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(
      'PORT must be a whole number from 0 to 65535 (0 takes any free port), not "nonsense".',
    );
    expect(served.code).toBe(0);
  });
});

describe("a database that can't be used", () => {
  const refusalOf = (DATABASE_URL: string) => inkstone(["settings", "get"], { env: { DATABASE_URL } });

  test("is refused in one sentence when no server answers", async () => {
    const { code, err } = await refusalOf("postgres://nobody:secret-word@127.0.0.1:1/x");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^inkstone: The database can't be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\): start it/,
    );
    expect(err.split("\n")).toHaveLength(2);
    expect(err).not.toContain("secret-word");
  });

  test("has a stack only on request", async () => {
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
