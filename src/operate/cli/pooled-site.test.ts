import { spawn } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtProgram, IS_LONG } from "../../../test/setup.ts";
import { superuserTo } from "../../../test/database.ts";
import { freePort } from "../../../test/waiting.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { HAS_POOLER, KEEPS_STATEMENTS, startPooler } from "../../../test/between.ts";
import { programForAll } from "../../../test/commands.ts";
import { type ServerProcess, startServerProcess } from "../../../test/servers.ts";
import { connect } from "../../platform/db/connect.ts";
import { LOCKS } from "../../platform/db/locks.ts";

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

describe.skipIf(!HAS_POOLER || !IS_LONG)(
  "a site behind a pooler that doesn't keep prepared statements",
  () => {
    test("finds it out, says so once, and answers every read", async () => {
      const found = await readThroughPooler({});
      expect(found).toMatchObject({ statuses: [200], bodies: ["[]"], warnings: 1 });
    });

    test("prepares nothing where DATABASE_PREPARED_STATEMENTS is off", async () => {
      const found = await readThroughPooler({ DATABASE_PREPARED_STATEMENTS: "off" });
      expect(found).toEqual({ statuses: [200], bodies: ["[]"], warnings: 0, prepared: 0 });
    });
  },
);

describe.skipIf(!HAS_POOLER || !IS_LONG)("servers behind a pooler in transaction mode", () => {
  const empty = databaseForAll();
  const servers: ServerProcess[] = [];
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  beforeAll(async () => {
    await sql`drop schema public cascade; drop schema graphile_worker cascade; create schema public`.execute(
      empty.superuser,
    );
    pooler = await startPooler(empty.name, { pool_mode: "transaction" }, superuserTo(empty.name));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await pooler.stop();
  });

  test("that start at once on an empty database all become ready, one of them migrates, and no lock stays", async () => {
    const starting = Array.from({ length: 8 }, () => startServerProcess(pooler.url));
    servers.push(...(await Promise.all(starting)));
    for (const server of servers)
      await expect.poll(async () => (await server.request("/readyz")).status).toBe(200);
    const said = servers.filter((server) => server.output().includes("creating the tables"));
    expect(said).toHaveLength(1);
    const locks = sql`
      select from pg_locks where locktype = 'advisory' and objid in (${LOCKS.programs}, ${LOCKS.migration})
        and database = (select oid from pg_database where datname = current_database())`;
    expect((await locks.execute(empty.superuser)).rows).toEqual([]);
  });

  test("find new jobs by themselves, soon", async () => {
    // The second can't profit from where in its pause the first one found them.
    for (const name of ["first", "second", "third"]) {
      const since = performance.now();
      await sql`select graphile_worker.add_job('render-again', '{}'::json, job_key => ${name})`.execute(
        empty.superuser,
      );
      await expect
        .poll(async () => (await sql`select from graphile_worker.jobs`.execute(empty.superuser)).rows)
        .toEqual([]);
      // Servers that rely on notifications look every ten seconds.
      expect(performance.now() - since).toBeLessThan(8_000);
    }
  });
});
