import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectionTo } from "../../../test/database.ts";
import { gate, things } from "../../../test/fetching.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { type Connection, connect } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Claim, stillMine } from "./fetches.ts";

const database = databaseForAll();

/** Another process, as far as the database can tell. */
let other: Connection;
beforeAll(() => {
  other = connect({ connection: connectionTo(database.name), poolSize: 4 });
});
afterAll(() => other.db.destroy());

const isMine = (claim: Claim) => inTransaction(database.db, (tx) => stillMine(tx, claim));

/** As if the time of all leases of a kind had passed. */
const letPass = (kind: string) =>
  sql`update fetches set leased_until = now() where kind = ${kind}`.execute(database.db);

test("two processes that look for work at the same moment never fetch one thing both", async () => {
  const [one, two] = [things(database.db, "both"), things(other.db, "both")];
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  await one.schedule(...ids);
  const running = new Set<number>();
  const seen: number[] = [];
  const handle = async ({ id }: Claim) => {
    if (running.has(id)) throw new Error(`${id} is fetched twice at a time`);
    running.add(id);
    seen.push(id);
    await sql`select 1`.execute(database.db);
    running.delete(id);
    return {};
  };
  const counts = await Promise.all([one.round(handle), two.round(handle)]);
  expect(counts[0] + counts[1]).toBe(60);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(seen.toSorted((a, b) => a - b)).toEqual(ids);
});

test("what is being fetched is left alone, and said to be running", async () => {
  const [one, two] = [things(database.db, "held"), things(other.db, "held")];
  await one.schedule(1);
  await one.round(async () => {
    expect(await two.taken()).toEqual([]);
    expect(await two.status(1)).toMatchObject({ is_running: true, fetched_at: null });
    return {};
  });
  expect(await two.status(1)).toMatchObject({ is_running: false, fetched_at: one.now() });
});

test("a slow one doesn't hold up the others, nor those that become due meanwhile", async () => {
  const feeds = things(database.db, "slow");
  const { open, opened } = gate();
  await feeds.schedule(1, 2, 3, 4, 5);
  const done: number[] = [];
  const handle = async ({ id }: Claim) => {
    if (id === 1) await opened;
    if (id === 5) await feeds.schedule(6);
    done.push(id);
    if (id === 6) open();
    return {};
  };
  expect(await feeds.round(handle, { concurrency: 2 })).toBe(6);
  expect(done).toEqual([2, 3, 4, 5, 6, 1]);
});

test("only a limited number is fetched at once", async () => {
  const feeds = things(database.db, "lanes");
  await feeds.schedule(1, 2, 3, 4, 5, 6, 7);
  let [now, most] = [0, 0];
  const handle = async () => {
    most = Math.max(most, ++now);
    await sql`select pg_sleep(0.02)`.execute(other.db);
    now--;
    return {};
  };
  expect(await feeds.round(handle, { concurrency: 3 })).toBe(7);
  expect(most).toBe(3);
});

/** Or the round would itself take again what it has lost. */
const ONE = { concurrency: 1 };

test("a process that was frozen past its lease can't write any more, and another fetches", async () => {
  const [frozen, awake] = [things(database.db, "frozen"), things(other.db, "frozen")];
  await frozen.schedule(1);
  let wasMine: boolean | undefined;
  await frozen.round(async (claim) => {
    expect(await isMine(claim)).toBe(true);
    await letPass("frozen");
    await awake.round(async () => ({ etag: '"awake"' }));
    wasMine = await isMine(claim);
    return { etag: '"frozen"' };
  }, ONE);
  expect(wasMine).toBe(false);
  awake.later(70);
  let etag: string | undefined;
  await awake.round(async (claim) => {
    ({ etag } = claim);
    return {};
  });
  expect(etag).toBe('"awake"');
});

test("while a process stores a fetch, no other takes over", async () => {
  const [writer, another] = [things(database.db, "writing"), things(other.db, "writing")];
  await writer.schedule(1);
  await writer.round(async (claim) => {
    await letPass("writing");
    await inTransaction(database.db, async (tx) => {
      expect(await stillMine(tx, claim)).toBe(true);
      expect(await another.taken()).toEqual([]);
    });
    return {};
  }, ONE);
});

test("what is unscheduled while it is fetched is neither written nor scheduled again", async () => {
  const feeds = things(database.db, "unwanted");
  await feeds.schedule(1);
  let wasMine: boolean | undefined;
  await feeds.round(async (claim) => {
    await feeds.unschedule(1);
    wasMine = await isMine(claim);
    return {};
  });
  expect(wasMine).toBe(false);
  expect(await feeds.status(1)).toBeUndefined();
});

test("told to stop, a process gives back what it was at, for another to take at once", async () => {
  const [stopped, another] = [things(database.db, "stopped"), things(other.db, "stopped")];
  await stopped.schedule(1, 2);
  const stopping = new AbortController();
  const handle = async ({ signal }: Claim) => {
    const told = once(signal, "abort");
    stopping.abort();
    await told;
    throw new Error("The connection was closed.");
  };
  await stopped.round(handle, { signal: stopping.signal, concurrency: 1 });
  expect(await another.status(1)).toMatchObject({ failures: 0, is_running: false });
  expect(await another.taken()).toEqual([1, 2]);
});

test("a fetch that ignores its abort is given up when its lease ends", async () => {
  const feeds = things(database.db, "hanging");
  await feeds.schedule(1);
  const signals: AbortSignal[] = [];
  const handle = ({ signal }: Claim) => {
    signals.push(signal);
    return new Promise<never>(() => {});
  };
  expect(await feeds.round(handle, { leaseSeconds: 0.4 })).toBe(1);
  expect(signals[0]?.aborted).toBe(true);
  expect(await feeds.status(1)).toMatchObject({
    failures: 1,
    failure: "It took too long.",
    is_running: false,
  });
});

test("who waits for some gets them fetched, by whomever", async () => {
  const [busy, waiting] = [things(database.db, "awaited"), things(other.db, "awaited")];
  await busy.schedule(1, 2);
  const { open, opened } = gate();
  const begun = gate();
  const fetching = busy.round(
    async () => {
      begun.open();
      await opened;
      return {};
    },
    { ids: [1] },
  );
  await begun.opened;
  const awaited = waiting.taken({ ids: [1] });
  open();
  expect(await awaited).toEqual([]);
  expect(await waiting.status(1)).toMatchObject({ is_running: false, fetched_at: busy.now() });
  expect(await fetching).toBe(1);
  expect(await waiting.taken()).toEqual([2]);
});

/** Takes what is due and never gives it back. */
const PROGRAM = `
  const [src, connection] = process.argv.slice(1);
  const { connect } = await import(src + "/platform/db/connect.ts");
  const { fetchDue } = await import(src + "/platform/fetches/due.ts");
  const { db } = connect({ connection: JSON.parse(connection), poolSize: 1 });
  const handle = async () => {
    process.stdout.write("taken");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  };
  await fetchDue({ db, kind: "killed", now: () => new Date(), everySeconds: 3600, leaseSeconds: 2, handle });`;

test("the fetch of a process that is killed is done by another one when the lease has passed", async () => {
  const feeds = things(database.db, "killed");
  await feeds.schedule(1);
  const src = join(import.meta.dirname, "../..");
  const connection = JSON.stringify(connectionTo(database.name));
  const args = ["--import", "tsx", "--input-type=module", "-e", PROGRAM, src, connection];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await feeds.status(1)).toMatchObject({ failures: 0, fetched_at: null });
  expect(await feeds.taken({ ids: [1] })).toEqual([1]);
});
