import { createServer, connect as connectTo, type Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectionTo, createDatabase } from "../../../test/database.ts";
import { type Connection, connect } from "./connect.ts";
import { isUnavailable } from "./failures.ts";

describe("a pool with a patience", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let impatient: Connection;
  beforeAll(async () => {
    database = await createDatabase();
    impatient = connect({
      connection: connectionTo(database.name),
      poolSize: 2,
      statementTimeoutMs: 1_500,
    });
  });
  afterAll(async () => {
    await impatient.db.destroy();
    await database.drop();
  });

  const failureOf = (query: Promise<unknown>) =>
    query.then(
      () => undefined,
      (error: unknown) => error,
    );

  test("has the database give up a statement that takes too long, and goes on", async () => {
    const error = await failureOf(sql`select pg_sleep(60)`.execute(impatient.db));
    expect(isUnavailable(error)).toBe(true);
    expect((await sql<{ one: number }>`select 1 as one`.execute(impatient.db)).rows).toEqual([{ one: 1 }]);
  });

  test("gives up a database that no longer answers, and uses it again when it does", async () => {
    const proxy = await startProxy(database.name);
    const pool = connect({ connection: proxy.connection, poolSize: 2, statementTimeoutMs: 1_500 });
    await sql`select 1`.execute(pool.db);

    proxy.hang(true);
    const error = await failureOf(sql`select 1`.execute(pool.db));
    expect(isUnavailable(error)).toBe(true);

    proxy.hang(false);
    expect((await sql<{ one: number }>`select 1 as one`.execute(pool.db)).rows).toEqual([{ one: 1 }]);
    await pool.db.destroy();
    proxy.stop();
  });
});

describe("a pool whose connections the database ends", () => {
  test.each([
    ["reports each of them", false, 1],
    ["reports none when it is closing them itself", true, 0],
  ])("%s", async (_sentence, isEnding, reports) => {
    const database = await createDatabase();
    const lost: Error[] = [];
    const onLost = (error: Error) => void lost.push(error);
    const { pool } = connect({ connection: connectionTo(database.name), poolSize: 1, onLost });
    const client = await pool.connect();
    const ended = new Promise((resolve) => client.once("end", resolve));
    const ending = isEnding ? pool.end() : undefined;
    await client.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {});
    await ended;
    client.release(true);
    await (ending ?? pool.end());
    expect(lost.map(({ message }) => message)).toHaveLength(reports);
    await database.drop();
  });
});

/** Stands between a pool and the database, and can swallow what passes. */
async function startProxy(name: string) {
  const { connectionString, host, port, user } = connectionTo(name);
  const reach = reacher(connectionString, `${host}/.s.PGSQL.${port}`);
  let isHanging = false;
  const sockets: Socket[] = [];
  const pass = (from: Socket, to: Socket) => {
    sockets.push(from);
    from
      .on("data", (data) => isHanging || to.write(data))
      .on("error", () => {})
      .on("close", () => to.destroy());
  };
  const server = createServer((near) => {
    const far = reach();
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as { port: number };
  return {
    connection: {
      ...credentials(connectionString, user),
      host: "127.0.0.1",
      port: address.port,
      database: name,
    },
    hang: (value: boolean) => void (isHanging = value),
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function reacher(connectionString: string | undefined, socketPath: string): () => Socket {
  if (connectionString === undefined) return () => connectTo(socketPath);
  const { port, hostname } = new URL(connectionString);
  return () => connectTo(Number(port || 5432), hostname);
}

function credentials(connectionString: string | undefined, user: string | undefined) {
  if (connectionString === undefined) return user === undefined ? {} : { user };
  const { username, password } = new URL(connectionString);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}
