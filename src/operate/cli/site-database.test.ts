import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { superuserTo } from "../../../test/database.ts";
import { builtProgram } from "../../../test/setup.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { connect } from "../../platform/db/connect.ts";

const site = programForAll();
const server = connect({ connection: superuserTo("postgres"), poolSize: 1 });
const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
beforeAll(() =>
  sql`create database ${sql.id(name)} template template0 encoding 'UTF8' locale 'C'`.execute(server.db),
);
afterAll(async () => {
  await sql`drop database ${sql.id(name)} with (force)`.execute(server.db);
  await server.db.destroy();
});

const WARN = 40;

/** The logged warnings of a server on this database. */
async function warningsOf(database: string): Promise<string[]> {
  const env = {
    DATABASE_URL: urlOf(database, superuserTo(database)),
    PORT: "0",
    BASE_URL: "http://localhost",
  };
  const child = spawn(process.execPath, [builtProgram(), "serve"], { cwd: site.folder, env });
  const ended = once(child, "close");
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += String(text)));
  try {
    await expect.poll(() => output).toContain("Inkstone is ready.");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .flatMap(({ level, msg }) => (level === WARN ? msg : []));
}

test("a server whose database knows no letters but a to z says what that costs, and serves", async () => {
  const lacking =
    "Names, comments and listings in scripts such as Cyrillic or Greek are only found with the same capital letters";
  expect(await warningsOf(name)).toContainEqual(expect.stringContaining(lacking));
  expect(await warningsOf(site.database.name)).not.toContainEqual(expect.stringContaining(lacking));
});
