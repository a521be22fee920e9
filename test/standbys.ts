import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../src/db/connect.ts";
import { asOwner, connectionVia, prepareDatabase } from "../src/db/embedded/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { connectTo, openPlace, type Place, type Server, superuserAt } from "./own-postgres.ts";
import { PATIENCE_MS } from "./patience.ts";

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
