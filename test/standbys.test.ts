import { existsSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchdogsOf } from "./engine-process.ts";
import { IS_LONG } from "./long.ts";
import { PATIENCE_MS } from "./setup.ts";
import { type Standby, type Standbys, startStandbys } from "./standbys.ts";
import { until } from "./waiting.ts";

let all: Standbys;
let one: Standby;
let other: Standby;
beforeAll(async () => {
  all = await startStandbys();
  [one, other] = all.standbys as [Standby, Standby];
});
afterAll(() => all.stop());

/** Over a connection of its own. */
async function query(url: string, text: string, patienceMs = PATIENCE_MS): Promise<unknown[]> {
  const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
  const client = new pg.Client({ connectionString: url, ...limits });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const write = (name: string) => query(all.primary.url, `insert into tags (name) values ('${name}')`);

async function holds({ url }: Standby, name: string): Promise<boolean> {
  return (await query(url, `select from tags where name = '${name}'`)).length > 0;
}

test.runIf(IS_LONG)(
  "a standby replays what the primary writes, and refuses to write as the program's role",
  async () => {
    await write("first");
    await Promise.all([one.catchUp(), other.catchUp()]);
    expect([await holds(one, "first"), await holds(other, "first")]).toEqual([true, true]);
    expect(await one.position()).toBe(await all.primary.position());
    await expect(query(one.url, "delete from tags")).rejects.toMatchObject({ code: "25006" });
  },
);

test.runIf(IS_LONG)("a paused standby lags until it goes on, and so does a delayed one", async () => {
  await one.pause();
  await other.delay(3_600_000);
  await write("late");
  const wanted = await all.primary.position();
  await until(async () => (await other.ask(`pg_last_wal_receive_lsn() >= '${wanted}'`)) === "true");
  expect([await holds(one, "late"), await holds(other, "late")]).toEqual([false, false]);
  await one.resume();
  await other.delay(0);
  await Promise.all([one.catchUp(), other.catchUp()]);
  expect([await holds(one, "late"), await holds(other, "late")]).toEqual([true, true]);
});

test.runIf(IS_LONG)("a stopped standby answers nothing until it goes on", async () => {
  one.stop();
  await expect(query(one.url, "select", 1_000)).rejects.toThrow("timeout");
  one.cont();
  expect(await holds(one, "none")).toBe(false);
});

test.runIf(IS_LONG)("a killed standby is gone until it is started again, and then catches up", async () => {
  await one.kill();
  await expect(holds(one, "meanwhile")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await write("meanwhile");
  await one.restart();
  await one.catchUp();
  expect(await holds(one, "meanwhile")).toBe(true);
});

test.runIf(IS_LONG)("standbys follow a primary that was started again", async () => {
  await all.primary.restart();
  await write("afterwards");
  await Promise.all([one.catchUp(), other.catchUp()]);
  expect(await holds(other, "afterwards")).toBe(true);
});

test.runIf(IS_LONG)("a promoted standby takes writes, and a demoted primary refuses them", async () => {
  await one.promote();
  await query(one.url, "insert into tags (name) values ('own')");
  await all.primary.demote();
  await expect(write("refused")).rejects.toMatchObject({ code: "25006" });
});

test.runIf(IS_LONG)(
  "its servers and their files are gone in the end, also where one is stopped",
  async () => {
    one.stop();
    await all.stop();
    await expect(holds(other, "none")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    const clusters = [all.primary, one, other].map(({ cluster }) => cluster);
    expect(clusters.map((cluster) => existsSync(cluster))).toEqual([false, false, false]);
    await until(() => clusters.flatMap(watchdogsOf).length === 0);
  },
);
