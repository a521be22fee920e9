import { Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../../../test/database.ts";
import { Gate } from "../../../test/database-gate.ts";
import { until } from "../../../test/waiting.ts";
import { type Connection, connect, type Db } from "./connect.ts";
import { isUnavailable } from "./failures.ts";
import { breakConnection, pipelined } from "./pipeline.ts";

// Kysely and pg don't document what is used here, so a new version of them may change it.
describe("on a real connection", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let gate: Gate;
  let connection: Connection;
  beforeAll(async () => {
    database = await createDatabase();
    gate = new Gate(database.name);
    await gate.open();
    const stream = () => new CountingSocket();
    connection = connect({ connection: { connectionString: gate.url, stream }, poolSize: 1 });
  });
  afterAll(async () => {
    await connection.db.destroy();
    await gate.close();
    await database.drop();
  });

  const number = async (db: Db, value: number) => {
    const { rows } = await sql<{ number: number }>`select ${value}::int as number`.execute(db);
    return rows[0]?.number;
  };

  const idOf = async (db: Db) => {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db);
    return rows[0]?.id;
  };

  test("`begin` and the first statements of a transaction leave in one write, before any answer", async () => {
    await number(connection.db, 0);
    gate.hold();
    const before = CountingSocket.writes;
    const ids = pipelined(connection.db, (tx) => Promise.all([number(tx, 1), idOf(tx), idOf(tx)]));
    await until(() => gate.holds("begin", "::int as number", "as id"));
    const writes = CountingSocket.writes - before;
    gate.letGo();
    const [one, id, again] = await ids;
    expect({ one, writes }).toEqual({ one: 1, writes: 1 });
    expect(again).toBe(id);
  });

  test.each([
    ["committed", async () => undefined],
    ["rolled back", () => Promise.reject(new Error("on purpose"))],
  ])("a transaction that is %s takes no more statements", async (_end, end) => {
    let ended: Db | undefined;
    const transaction = pipelined(connection.db, async (tx) => {
      ended = tx;
      await number(tx, 1);
      return end();
    });
    await transaction.catch(() => undefined);
    await expect(number(ended as Db, 2)).rejects.toThrow("the transaction has ended");
    expect(await idOf(connection.db)).not.toBe(await idOf(connection.db));
  });

  test("a transaction can be changed by a plugin, and knows that it is one", async () => {
    const isTransaction = await pipelined(connection.db, async (tx) => {
      const seen: unknown[] = [];
      const watched = tx.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          seen.push(...result.rows);
          return result;
        },
      });
      await number(watched, 4);
      expect(seen).toEqual([{ number: 4 }]);
      return watched.isTransaction;
    });
    expect(isTransaction).toBe(true);
  });

  test("a connection that is broken off fails its statements, and the pool opens another", async () => {
    const client = await connection.pool.connect();
    const failing = client.query("select pg_sleep(60)").catch((error: unknown) => error);
    breakConnection(client);
    expect(isUnavailable(await failing)).toBe(true);
    client.release();
    expect(await number(connection.db, 5)).toBe(5);
  });
});

/* oxlint-disable eslint/no-underscore-dangle -- by these names Node calls the methods that write */
class CountingSocket extends Socket {
  static writes = 0;

  override _write(...given: Parameters<Socket["_write"]>): void {
    CountingSocket.writes += 1;
    super._write(...given);
  }

  override _writev(...given: Parameters<NonNullable<Socket["_writev"]>>): void {
    CountingSocket.writes += 1;
    super._writev?.(...given);
  }
}
