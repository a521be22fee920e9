import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir } from "../../../../test/engine-process.ts";
import { type Engine, openEngine } from "./engine.ts";

describe("An engine", () => {
  // A comma and a space divide lists of directories in PostgreSQL's settings.
  const dataDir = `${newDataDir()}, "quoted"`;
  let engine: Engine;
  let client: pg.Client;

  beforeAll(async () => {
    engine = await openEngine({ dataDir, holder: "server", log: () => {} });
    client = new pg.Client(engine.connection);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const setting = async (name: string) =>
    (await client.query<{ value: string }>("select current_setting($1) as value", [name])).rows[0]?.value;
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test("gives a connection to a database of the site's own", async () => {
    expect(engine).toMatchObject({ owned: true, connection: { user: "inkstone_app", database: "inkstone" } });
    const { rows } = await client.query("select current_user as user, current_database() as database");
    expect(rows).toEqual([{ user: "inkstone_app", database: "inkstone" }]);
  });

  test("keeps everything in the data directory, for one account only", () => {
    expect(engine.connection.host.startsWith(dataDir)).toBe(true);
    expect(modeOf(join(dataDir, "postgres"))).toBe("700");
    expect(modeOf(engine.connection.host)).toBe("700");
    expect(modeOf(join(dataDir, "postgres.log"))).toBe("600");
  });

  test("can be reached through its socket alone", async () => {
    expect(await setting("listen_addresses")).toBe("");
    expect(await setting("unix_socket_permissions")).toBe("0700");
  });

  test("keeps what it has acknowledged when the power fails", async () => {
    for (const name of ["fsync", "full_page_writes", "synchronous_commit", "data_checksums"])
      expect([name, await setting(name)]).toEqual([name, "on"]);
  });
});

describe("The directory of the socket", () => {
  test("is a short one elsewhere when the data directory has a long name", async () => {
    const parent = newDataDir();
    const dataDir = join(parent, "long".repeat(30));
    const engine = await openEngine({ dataDir, holder: "command", log: () => {} });
    try {
      expect(engine.connection.host.startsWith(dataDir)).toBe(false);
      const client = new pg.Client(engine.connection);
      await client.connect();
      await client.end();
    } finally {
      await engine.stop();
      rmSync(parent, { recursive: true, force: true });
      rmSync(engine.connection.host, { recursive: true, force: true });
    }
  });
});

describe("openEngine", () => {
  test("finds again what an engine held that was stopped, and stopping twice does no harm", async () => {
    const dataDir = newDataDir();
    mkdirSync(dataDir, { mode: 0o755 });
    const counts: unknown[] = [];
    try {
      for (let run = 0; run < 2; run++) {
        const engine = await openEngine({ dataDir, holder: "server", log: () => {} });
        const client = new pg.Client(engine.owner);
        await client.connect();
        await client.query("create table if not exists run ()");
        await client.query("insert into run default values");
        counts.push((await client.query("select from run")).rowCount);
        await client.end();
        await Promise.all([engine.stop(), engine.stop()]);
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
    expect(counts).toEqual([1, 2]);
  });
});
