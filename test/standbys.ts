import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Databases } from "../src/platform/db/connect.ts";
import { asOwner, connectionVia, prepareDatabase } from "../src/platform/db/embedded/database.ts";
import { ReplicaSet } from "../src/platform/db/replicas.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { connectTo, openPlace, type Place, type Server, superuserAt } from "./own-postgres.ts";
import { PATIENCE_MS } from "./setup.ts";
import { until } from "./waiting.ts";
import type { World } from "./world.ts";

export interface Primary extends Server {
  ownerUrl: string;
  /** Starts it anew as a standby of nobody, which refuses every write. */
  demote(): Promise<void>;
}

export interface Standby extends Server {
  /** Stops and goes on with the replay; what comes meanwhile is kept. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** From now on each commit is replayed so late; 0 ends that. */
  delay(milliseconds: number): Promise<void>;
  /** Receives nothing from now on. */
  cutOff(): Promise<void>;
  /** Fulfilled when it takes writes. */
  promote(): Promise<void>;
  /** Fulfilled when it has replayed all that the primary has written until now. */
  catchUp(): Promise<void>;
}

export interface Standbys {
  primary: Primary;
  standbys: Standby[];
  stop(): Promise<void>;
}

interface Options {
  count?: number;
  /** Of all servers. */
  settings?: Record<string, string>;
}

/** Starts a migrated primary and hot standbys that follow it. */
export async function startStandbys({ count = 2, settings = {} }: Options = {}): Promise<Standbys> {
  const place = await openPlace(settings);
  try {
    await place.initialize("primary");
    const primary = primaryOf(place, await place.start("primary"));
    await migrateAt(primary.port);
    const names = Array.from({ length: count }, (_, index) => `standby-${index + 1}`);
    await (place.isDebian ? takeBaseBackups : copyOnline)(place, primary.port, names);
    const started = await Promise.all(names.map((name) => place.start(name)));
    return { primary, standbys: started.map((server) => standbyOf(server, primary)), stop: place.close };
  } catch (error) {
    await place.close();
    throw error;
  }
}

async function migrateAt(port: number): Promise<void> {
  const program = connectionVia("127.0.0.1", port);
  await prepareDatabase(program);
  const owner = connect({ connection: asOwner(program), poolSize: 4 });
  await migrate(owner, { programRole: program.user });
  await owner.db.destroy();
}

async function takeBaseBackups({ home, bin, run }: Place, port: number, names: string[]): Promise<void> {
  const from = ["-d", superuserAt(port), "-R", "-c", "fast", "-N"];
  for (const name of names) await run(bin("pg_basebackup"), "-D", join(home, name), ...from);
}

/** The work of pg_basebackup; the log comes from the primary. */
async function copyOnline({ home, run }: Place, port: number, names: string[]): Promise<void> {
  const client = await connectTo(superuserAt(port));
  await client.query("select pg_backup_start('standby', true)");
  for (const name of names) await run("/bin/sh", "-c", COPY, "sh", join(home, "primary"), join(home, name));
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  const address = `primary_conninfo = 'host=127.0.0.1 port=${port} user=inkstone'`;
  for (const name of names)
    await run("/bin/sh", "-c", FOLLOW, "sh", join(home, name), String(rows[0]?.labelfile), address);
}

const COPY = 'cp -a "$1" "$2" && cd "$2" && rm -f postmaster.pid postmaster.opts pg_wal/0*';
const FOLLOW =
  'cd "$1" && printf %s "$2" > backup_label && echo "$3" >> postgresql.auto.conf && touch standby.signal';

function primaryOf({ run }: Place, server: Server): Primary {
  return {
    ...server,
    ownerUrl: `postgres://inkstone_owner@127.0.0.1:${server.port}/inkstone`,
    async demote() {
      await run("touch", join(server.cluster, "standby.signal"));
      await server.restart();
    },
  };
}

function standbyOf(server: Server, primary: Primary): Standby {
  const { ask } = server;
  return {
    ...server,
    pause: async () => void (await ask("pg_wal_replay_pause()")),
    resume: async () => void (await ask("pg_wal_replay_resume()")),
    async delay(milliseconds) {
      const client = await connectTo(server.superuserUrl);
      await client.query(`alter system set recovery_min_apply_delay = ${milliseconds}`);
      await client.query("select pg_reload_conf()");
      await client.end();
    },
    async cutOff() {
      const client = await connectTo(server.superuserUrl);
      await client.query("alter system set primary_conninfo = 'host=127.0.0.1 port=1'");
      await client.query("select pg_reload_conf()");
      const receiving = "exists (select from pg_stat_wal_receiver where status = 'streaming')";
      while ((await ask(receiving)) !== "false") await sleep(20);
      await client.end();
    },
    promote: async () => void (await ask("pg_promote()")),
    async catchUp() {
      const wanted = await primary.position();
      const deadline = performance.now() + PATIENCE_MS;
      while ((await ask(`pg_last_wal_replay_lsn() >= '${wanted}'`)) !== "true") {
        if (performance.now() > deadline) throw new Error(`The standby does not come to ${wanted}.`);
        await sleep(20);
      }
    },
  };
}

let turn = 0;

/** Reads a list that no cache has. */
export async function readFresh(world: World, key?: string): Promise<number> {
  return (await world.get(`/api/articles?per_page=${(turn++ % 1_000) + 1}`, { key })).status;
}

export function loadsOf({ replicas }: World): { primary: number; replicas: number[] } {
  const [primary, ...others] = replicas?.figures().map(({ loads }) => loads) ?? [];
  return { primary: primary ?? NaN, replicas: others };
}

/** How many loads each server has answered while `work` ran. */
export async function loadsDuring(world: World, work: () => Promise<unknown>) {
  const before = loadsOf(world);
  await work();
  const after = loadsOf(world);
  return {
    primary: after.primary - before.primary,
    replicas: after.replicas.map((loads, at) => loads - (before.replicas[at] ?? 0)),
  };
}

/** Reads until strangers are answered by these replicas, and by no other server. */
export async function untilReadFrom(world: World, ...wanted: number[]): Promise<void> {
  await until(async () => {
    const { primary, replicas } = await loadsDuring(world, async () => {
      for (let at = 0; at < 2 * countOf(world); at++) await readFresh(world);
    });
    const used = replicas.flatMap((loads, at) => (loads > 0 ? [at] : []));
    return primary === 0 && used.join() === wanted.join();
  });
}

const countOf = ({ replicas }: World) => replicas?.members.length ?? 0;

/** Sixteen strangers read until `work` has ended; gives the statuses that are no 200, and the longest wait. */
export async function whileReading(world: World, work: () => Promise<unknown>) {
  const failures: number[] = [];
  let slowestMs = 0;
  const over = new AbortController();
  const read = async () => {
    while (!over.signal.aborted) {
      const began = performance.now();
      const status = await readFresh(world);
      if (status !== 200) failures.push(status);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await sleep(1);
    }
  };
  const readers = Array.from({ length: 16 }, read);
  await work().finally(() => over.abort());
  await Promise.all(readers);
  return { failures, slowestMs };
}

/** An address that leads to one server of this computer, and after a failover to another. */
export interface MovingAddress {
  /** The address of a server, by this one. */
  of(url: string): string;
  /** Leads to another port from now on, or to none; open connections end. */
  lead(to: number | undefined): void;
  close(): Promise<void>;
}

export async function openAddress(port: number): Promise<MovingAddress> {
  const sockets = new Set<Socket>();
  let target: number | undefined = port;
  const server = createServer((client) => {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = createConnection(target, "127.0.0.1");
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from);
      from.on("error", () => {}).on("close", () => void (sockets.delete(from), to.destroy()));
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = (server.address() as AddressInfo).port;
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    of: (url) => Object.assign(new URL(url), { port: own }).href,
    lead(to) {
      target = to;
      endAll();
    },
    async close() {
      server.close();
      endAll();
      await once(server, "close");
    },
  };
}

/** The primary as the database of a world. */
export async function openPrimary({ primary }: Standbys) {
  const connection = connect({
    connection: { connectionString: primary.url },
    poolSize: 4,
    statementTimeoutMs: 2_500,
  });
  const superuser = connect({ connection: { connectionString: primary.superuserUrl }, poolSize: 1 }).db;
  const drop = async () => void (await Promise.all([connection.db.destroy(), superuser.destroy()]));
  return { connection, superuser, drop, name: new URL(primary.url).pathname.slice(1) };
}

export function openReplicas(databases: Databases, { primary, standbys }: Standbys, onAway: () => void) {
  return new ReplicaSet(databases, {
    urls: standbys.map(({ url }) => url),
    primary: { connectionString: primary.url },
    poolSize: 4,
    searchTimeoutMs: 2_000,
    isPreparing: true,
    log: () => {},
    onAway,
  });
}
