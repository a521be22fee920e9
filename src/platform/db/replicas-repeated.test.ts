import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import {
  loadsDuring,
  openAddress,
  readFresh,
  type Standby,
  type Standbys,
  startStandbys,
  untilReadFrom,
} from "../../../test/standbys.ts";
import { until } from "../../../test/waiting.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { connect, type Db } from "./connect.ts";
import { failureCode } from "./failures.ts";
import { Replica } from "./replica.ts";
import { ReplicaSet } from "./replicas.ts";
import { inTransaction } from "./transaction.ts";

let servers: Standbys;
let first: Standby;
let world: World;
let replicas: ReplicaSet;
beforeAll(async () => {
  servers = await startStandbys();
  [first] = servers.standbys as [Standby, Standby];
  world = await startWorld({ standbys: servers });
  replicas = world.replicas as ReplicaSet;
});
afterAll(async () => {
  await world.stop();
  await servers.stop();
});
beforeEach(() => untilReadFrom(world, 0, 1));

const pause = (db: Db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);
/** The errors that count as failures of a replica while `work` runs. */
async function failuresDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const fail = vi.spyOn(Replica.prototype, "fail");
  await work();
  const reasons = fail.mock.calls.map(([error]) => error);
  fail.mockRestore();
  return reasons;
}

test.runIf(IS_LONG)(
  "a read that a replica does not answer for half a second is repeated on the primary",
  async () => {
    let attempts = 0;
    const { primary } = await loadsDuring(world, () =>
      replicas.load(({ replica }) => pause(replica, attempts++ === 0 ? 0.8 : 0)),
    );
    expect([attempts, primary]).toEqual([2, 1]);
  },
);

test.runIf(IS_LONG)("a search that takes too long fails once, and is no fault of its replica", async () => {
  const { primary } = await loadsDuring(world, async () => {
    const blamed = await failuresDuring(async () => {
      const code = await replicas.load(({ slow }) => pause(slow, 60)).then(() => "none", failureCode);
      expect(code).toBe("57014");
    });
    expect(blamed).toEqual([]);
  });
  expect(primary).toBe(0);
});

test.runIf(IS_LONG)(
  "a load that finds the pool of a replica full is repeated on the primary, and is no fault",
  async () => {
    const [{ reads }] = replicas.members as [Replica];
    const held = await Promise.all(Array.from({ length: 4 }, () => reads.pool.connect()));
    const { primary } = await loadsDuring(world, async () => {
      const load = () => replicas.load(({ replica }) => pause(replica, 0));
      expect(await failuresDuring(() => Promise.all([load(), load()]))).toEqual([]);
    });
    for (const client of held) client.release();
    expect(primary).toBe(1);
  },
);

test.runIf(IS_LONG)(
  "a read that requests share is repeated when it loses its connection to a primary which is there",
  async () => {
    // A sequence keeps its value when the connection ends.
    await sql`create sequence attempts`.execute(world.superuser);
    await sql`grant usage on sequence attempts to public`.execute(world.superuser);
    const loseFirst = sql<{ attempt: string }>`
    select attempt, case when attempt = 1 then pg_terminate_backend(pg_backend_pid()) end
    from (select nextval('attempts') as attempt offset 0) as counted`;
    const failures = await failuresDuring(async () => {
      expect((await loseFirst.execute(replicas.shared)).rows[0]?.attempt).toBe("2");
    });
    expect(failures).toEqual([]);
  },
);

test.runIf(IS_LONG)("a commit ends the absence of the primary at once, and is read", async () => {
  const address = await openAddress(servers.primary.port);
  const { db, pool } = connect({ connection: { connectionString: servers.primary.url }, poolSize: 2 });
  const own = new ReplicaSet(
    { main: db, replica: db, shared: db, slow: db, jobs: db },
    {
      urls: [first.url],
      // The looks go another way than the commit.
      primary: { connectionString: address.of(servers.primary.url) },
      poolSize: 2,
      searchTimeoutMs: 2_000,
      isPreparing: true,
      log: () => {},
      onAway: () => {},
    },
  );
  const named = ({ replica }: { replica: Db }) =>
    replica.selectFrom("tags").select("name").where("name", "=", "justnow").execute();
  await until(async () => (await own.load(named), own.members[0]?.isUsable(performance.now())));
  address.lead(undefined);
  await until(async () => (await own.load(named), own.isPrimaryAway));
  await first.pause();
  const { isPrimaryAway } = await inTransaction(db, (tx) =>
    tx.insertInto("tags").values({ name: "justnow" }).execute(),
  ).then(() => own);
  expect([isPrimaryAway, await own.load(named)]).toEqual([false, [{ name: "justnow" }]]);
  await first.resume();
  await own.close();
  await pool.end();
  await address.close();
});

test.runIf(IS_LONG)(
  "without the primary, a reader waits for replicas that were silent for a moment",
  async () => {
    await servers.primary.kill();
    await until(async () => (await readFresh(world)) === 200 && replicas.isPrimaryAway);
    for (const standby of servers.standbys) standby.stop();
    await until(() => replicas.members.every(({ fault }) => fault !== undefined));
    const reading = readFresh(world);
    for (const standby of servers.standbys) standby.cont();
    expect(await reading).toBe(200);
    await servers.primary.restart();
    await until(() => !replicas.isPrimaryAway);
  },
);
