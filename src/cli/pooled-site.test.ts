import { spawn } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { builtProgram } from "../../test/build.ts";
import { freePort } from "../../test/free-port.ts";
import { HAS_POOLER, KEEPS_STATEMENTS, startPooler } from "../../test/pooler.ts";
import { programForAll } from "../../test/program.ts";
import { connect } from "../db/connect.ts";

const site = programForAll();

const READS = Array.from({ length: 40 }, (_, number) => [
  `/api/articles?per_page=${number + 1}`,
  `/api/articles?tag=wool&per_page=${number + 1}`,
  `/api/articles/search?q=wool${number}`,
]).flat();

/** Reads at the same time from a server behind a pooler that doesn't keep prepared statements. */
async function readThroughPooler(env: Record<string, string>) {
  const pooler = await startPooler(site.database.name, {
    pool_mode: "transaction",
    ...(KEEPS_STATEMENTS && { max_prepared_statements: 0 }),
  });
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [builtProgram(), "serve"], {
    cwd: site.folder,
    env: { DATABASE_URL: pooler.url, PORT, RATE_LIMITS: "off", ...env },
  });
  const ended = once(child, "close");
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += String(text)));
  try {
    await expect.poll(() => output).toContain("Inkstone is ready.");
    const answers = await Promise.all(READS.map((path) => fetch(`http://127.0.0.1:${PORT}${path}`)));
    const { db } = connect({ connection: { connectionString: pooler.url }, poolSize: 1 });
    const { rows } = await sql`select name from pg_prepared_statements where name like 'ink_%'`.execute(db);
    await db.destroy();
    return {
      statuses: [...new Set(answers.map(({ status }) => status))],
      bodies: [...new Set(await Promise.all(answers.map((answer) => answer.text())))],
      warnings: output.split("\n").filter((line) => line.includes("prepared statements")).length,
      prepared: rows.length,
    };
  } finally {
    child.kill("SIGTERM");
    await ended;
    await pooler.stop();
  }
}

describe.skipIf(!HAS_POOLER)("a site behind a pooler that doesn't keep prepared statements", () => {
  test("finds it out, says so once, and answers every read", async () => {
    const found = await readThroughPooler({});
    expect(found).toMatchObject({ statuses: [200], bodies: ["[]"], warnings: 1 });
  });

  test("prepares nothing where DATABASE_PREPARED_STATEMENTS is off", async () => {
    const found = await readThroughPooler({ DATABASE_PREPARED_STATEMENTS: "off" });
    expect(found).toEqual({ statuses: [200], bodies: ["[]"], warnings: 0, prepared: 0 });
  });
});
