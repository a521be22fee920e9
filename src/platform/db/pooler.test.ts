import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { connectionTo, superuserTo } from "../../../test/database.ts";
import { databaseForAll, databaseForEach, type OwnDatabase } from "../../../test/own-database.ts";
import { PATIENCE_MS, cases, IS_LONG } from "../../../test/setup.ts";
import { HAS_POOLER, KEEPS_STATEMENTS, type PoolerSettings, startPooler } from "../../../test/between.ts";
import { type Connection, type Db, connect } from "./connect.ts";
import { whileLocked } from "./locks.ts";
import { schemaState } from "./migrate.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { hasSessions, showProgram } from "./pooler.ts";
import { prepare } from "./prepared.ts";
import { inTransaction } from "./transaction.ts";

const database = databaseForAll();
const sum = prepare<{ one: number; other: number }, { sum: number }>(
  (value) => sql`select ${value("one")}::int + ${value("other")}::int as sum`,
);
const product = prepare<{ one: number; other: number }, { product: number }>(
  (value) => sql`select ${value("one")}::int * ${value("other")}::int as product`,
);

const NUMBERS = Array.from({ length: 40 }, (_, number) => number);

/** Two pools of one process, whose clients take turns on fewer connections. */
async function throughPooler(settings: PoolerSettings, work: (pools: [Db, Db]) => Promise<void>) {
  const pooler = await startPooler(database.name, settings);
  let timesOff = 0;
  const preparing = { isOn: true, onOff: () => void (timesOff += 1) };
  const open = () => connect({ connection: { connectionString: pooler.url }, poolSize: 4, preparing }).db;
  const pools: [Db, Db] = [open(), open()];
  await work(pools);
  await Promise.all(pools.map((db) => db.destroy()));
  await pooler.stop();
  return { isOn: preparing.isOn, timesOff };
}

async function calculate([one, other]: [Db, Db]): Promise<void> {
  const answers = NUMBERS.flatMap((number) => [
    sum(one, { one: number, other: 1 }),
    product(other, { one: number, other: 2 }),
    inTransaction(one, async (tx) => {
      const [row] = await sum(tx, { one: number, other: 3 });
      return product(tx, { one: row?.sum ?? NaN, other: 2 });
    }),
  ]);
  expect(await Promise.all(answers)).toEqual(
    NUMBERS.flatMap((n) => [[{ sum: n + 1 }], [{ product: 2 * n }], [{ product: 2 * (n + 3) }]]),
  );
}

async function preparedOn(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from pg_prepared_statements`.execute(db);
  return rows[0]?.count ?? NaN;
}

describe.skipIf(!HAS_POOLER)("behind a pooler", () => {
  const FORGETTING = { pool_mode: "transaction", ...(KEEPS_STATEMENTS && { max_prepared_statements: 0 }) };

  test("that doesn't keep prepared statements, every statement is answered and none is prepared any more", async () => {
    const found = await throughPooler(FORGETTING, async (pools) => {
      await calculate(pools);
      const leftOver = prepare<object, { one: number }>(() => sql`select 1 as one`);
      expect(await leftOver(pools[0], {})).toEqual([{ one: 1 }]);
      const { rows } = await sql`select from pg_prepared_statements where statement like '%as one'`.execute(
        pools[0],
      );
      expect(rows).toEqual([]);
    });
    expect(found).toEqual({ isOn: false, timesOff: 1 });
  });

  test.runIf(IS_LONG)("that doesn't keep them, statements named by a library are answered too", async () => {
    const pooler = await startPooler(database.name, FORGETTING);
    const { pool } = connect({ connection: { connectionString: pooler.url }, poolSize: 4 });
    const ask = async (n: number) => {
      const client = await pool.connect();
      const { rows } = await client.query({ name: "library", text: "select $1::int as n", values: [n] });
      client.release();
      return rows[0] as unknown;
    };
    expect(await Promise.all(NUMBERS.map(ask))).toEqual(NUMBERS.map((n) => ({ n })));
    await pool.end();
    await pooler.stop();
  });

  const KEEPING: PoolerSettings[] = [
    { pool_mode: "session", default_pool_size: 8 },
    ...(KEEPS_STATEMENTS ? [{ pool_mode: "transaction", max_prepared_statements: 100 }] : []),
  ];
  test.runIf(IS_LONG).each(KEEPING)(
    "that keeps prepared statements, they stay prepared: %o",
    async (settings) => {
      const found = await throughPooler(settings, async (pools) => {
        await calculate(pools);
        await calculate(pools);
        expect(await preparedOn(pools[0])).toBeGreaterThan(0);
      });
      expect(found).toEqual({ isOn: true, timesOff: 0 });
    },
  );
});

describe.skipIf(!HAS_POOLER)("behind a pooler in transaction mode", () => {
  const own = databaseForEach();
  const SETTINGS = { pool_mode: "transaction" };

  test("several that prepare an empty database at once run each migration once, and leave no lock", async () => {
    await sql`drop schema public cascade; drop schema graphile_worker cascade; create schema public`.execute(
      own.superuser,
    );
    const pooler = await startPooler(own.name, SETTINGS, superuserTo(own.name));
    const starters = Array.from({ length: cases(8, 2) }, () =>
      connect({ connection: { ...PATIENT, connectionString: pooler.url }, poolSize: 4 }),
    );
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    await Promise.all(starters.map((starter) => prepareDatabase(starter, { log })));
    expect(lines).toHaveLength(1);
    expect(await locksOn(own)).toEqual([]);
    expect(await Promise.all(starters.map(({ db }) => schemaState(db)))).toEqual(
      starters.map(() => "current"),
    );
    await Promise.all(starters.map(({ db }) => db.destroy()));
    await pooler.stop();
  });

  test.runIf(IS_LONG)(
    "a lock excludes others while its holder works on other connections, though it idles",
    async () => {
      await sql`alter database ${sql.id(own.name)} set idle_in_transaction_session_timeout = '2s'`.execute(
        own.superuser,
      );
      const pooler = await startPooler(own.name, SETTINGS);
      const [one, other] = [1, 2].map(() =>
        connect({ connection: { connectionString: pooler.url }, poolSize: 3 }),
      ) as [Connection, Connection];
      const order: string[] = [];
      const first = whileLocked(one.db, "migration", async () => {
        order.push("first begins");
        await sql`select pg_sleep(3)`.execute(one.db);
        order.push("first ends");
      });
      await expect.poll(() => order).toContain("first begins");
      await whileLocked(other.db, "migration", async () => void order.push("second"));
      await first;
      expect(order).toEqual(["first begins", "first ends", "second"]);
      expect(await locksOn(own)).toEqual([]);
      await Promise.all([one, other].map(({ db }) => db.destroy()));
      await pooler.stop();
    },
  );

  test("a program shows itself only past the pooler", async () => {
    const pooler = await startPooler(own.name, SETTINGS);
    const { pool, db } = connect({ connection: { connectionString: pooler.url }, poolSize: 1 });
    const direct = connect({ connection: connectionTo(own.name), poolSize: 1 });
    expect([await hasSessions(pool), await hasSessions(direct.pool)]).toEqual([false, true]);
    expect(await showProgram(pool)).toBeUndefined();
    expect(await locksOn(own)).toEqual([]);
    const end = await showProgram(direct.pool);
    expect(await locksOn(own)).toHaveLength(1);
    end?.();
    await Promise.all([db.destroy(), direct.db.destroy()]);
    await expect.poll(() => locksOn(own)).toEqual([]);
    await pooler.stop();
  });
});

/** A connection takes its turn at two connections of the pooler. */
const PATIENT = { connectionTimeoutMillis: PATIENCE_MS };

async function locksOn({ superuser }: OwnDatabase): Promise<unknown[]> {
  const { rows } = await sql`
    select classid, objid, mode from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
    superuser,
  );
  return rows;
}
