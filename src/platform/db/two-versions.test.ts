import { type RawBuilder, sql } from "kysely";
import { beforeEach, afterEach, describe, expect, test } from "vitest";
import { createDatabase, superuserTo } from "../../../test/database.ts";
import { type Connection, connect } from "./connect.ts";
import { isProgramConnected, LOCKS } from "./locks.ts";
import { migrate, schemaState } from "./migrate.ts";
import { type Migration, ownMigrations, toMigration } from "./migrations.ts";
import { showProgram } from "./pooler.ts";

let connection: Connection;
let drop: () => Promise<void>;
let own: Migration[];
let newer: Migration[];
let newest: number;
beforeEach(async () => {
  const database = await createDatabase();
  ({ drop } = database);
  connection = connect({ connection: superuserTo(database.name), poolSize: 6 });
  own = await ownMigrations();
  newest = own.length;
  newer = [
    ...own,
    toMigration(nameOf(1, "moods"), "-- expand\n\nalter table users add column mood text;\n"),
    toMigration(
      nameOf(2, "no-summary"),
      "-- contract in 999.0.0\n\nalter table users drop column summary cascade;\n",
    ),
    toMigration(nameOf(3, "places"), "-- expand\n\nalter table users add column place text;\n"),
  ];
});
/** Ends the transaction of `hold`. */
let letGo = () => {};
afterEach(async () => {
  letGo();
  await connection.db.destroy();
  await drop();
});

/** Runs a statement in a transaction, which stays open until `letGo` is called. */
function hold(statement: RawBuilder<unknown>): Promise<{ isDone: Promise<void> }> {
  return new Promise((begin) => {
    const isDone = connection.db.transaction().execute(async (tx) => {
      await statement.execute(tx);
      await new Promise<void>((resolve) => {
        letGo = resolve;
        begin({ isDone });
      });
    });
  });
}

const nameOf = (step: number, name: string) => `${String(newest + step).padStart(4, "0")}-${name}.sql`;

const columns = async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_name = 'users' and column_name in ('mood', 'place', 'summary') order by 1`.execute(
    connection.db,
  );
  return rows.map(({ name }) => name);
};

describe("a newer version's migrations", () => {
  test("that expand the schema run beside the older one, which works on it", async () => {
    expect(await schemaState(connection.db, newer)).toBe("older");
    expect(await migrate(connection, { known: newer })).toEqual([nameOf(1, "moods"), nameOf(3, "places")]);
    expect(await columns()).toEqual(["mood", "place", "summary"]);
    expect(await schemaState(connection.db, newer)).toBe("current");
    expect(await schemaState(connection.db)).toBe("current");
    expect(await migrate(connection)).toEqual([]);
  });

  test("that contract it run with a later version, beside which the newer one works, and the older one doesn't", async () => {
    await migrate(connection, { known: newer });
    const later = newer.map((one) => ({ ...one, isDue: true }));
    expect(await migrate(connection, { known: later })).toEqual([nameOf(2, "no-summary")]);
    expect(await columns()).toEqual(["mood", "place"]);
    expect(await schemaState(connection.db, later)).toBe("current");
    expect(await schemaState(connection.db, newer)).toBe("current");
    expect(await schemaState(connection.db)).toBe("newer");
    await expect(migrate(connection)).rejects.toThrow("The database's schema is newer than this program");
  });

  test("all run on an empty database, in their order", async () => {
    await sql`drop schema public cascade; create schema public`.execute(connection.db);
    expect(await migrate(connection, { known: newer })).toEqual(newer.map(({ name }) => name));
  });
});

test("a program whose connection was lost shows itself again", async () => {
  const end = await showProgram(connection.pool);
  const isShown = () => isProgramConnected(connection.db);
  await sql`select pg_terminate_backend(pid) from pg_locks where objid = ${LOCKS.programs}`.execute(
    connection.db,
  );
  expect(await isShown()).toBe(false);
  await expect.poll(isShown).toBe(true);
  end?.();
  await expect.poll(isShown).toBe(false);
});

describe("a file that builds an index beside reads and writes", () => {
  const building = () => [
    ...own,
    toMigration(
      nameOf(1, "moods"),
      "-- expand\n\n-- Serves nothing.\ncreate index concurrently if not exists users_names\n  on users (name);\n",
    ),
  ];
  const isValid = async () => {
    const { rows } = await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('users_names')`.execute(
      connection.db,
    );
    return rows[0]?.valid;
  };

  test("goes on where it was killed", async () => {
    const { isDone } = await hold(sql`lock table users in row exclusive mode`);
    const killed = migrate(connection, { known: building() });
    // It fails before the test waits for it.
    killed.catch(() => {});
    const look = sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query like 'create index concurrently%' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await look.execute(connection.db)).rows.length).toBe(1);
    const [builder] = (await look.execute(connection.db)).rows;
    await sql`select pg_terminate_backend(${builder?.pid})`.execute(connection.db);
    await expect(killed).rejects.toThrow(/terminat/i);
    expect(await isValid()).toBe(false);
    expect(await schemaState(connection.db, building())).toBe("older");
    letGo();
    await isDone;
    expect(await migrate(connection, { known: building() })).toEqual([nameOf(1, "moods")]);
    expect(await isValid()).toBe(true);
  });

  test("repeats after a kill between the index and the note that it ran", async () => {
    await sql`create index users_names on users (name)`.execute(connection.db);
    expect(await migrate(connection, { known: building() })).toEqual([nameOf(1, "moods")]);
    expect(await isValid()).toBe(true);
  });

  test("fails and holds up no read or write on a table with many rows", async () => {
    const add = (count: number) => sql`
      insert into events (type, payload) select 'user_updated', '{"user_id": 1}' from generate_series(1, ${count}::int)`;
    await add(50_000).execute(connection.db);
    const moods = toMigration(
      nameOf(1, "moods"),
      "-- expand\n\ncreate index concurrently if not exists events_types on events (type, id);\n",
    );
    const migrating = migrate(connection, { known: [...own, moods] });
    const done = new AbortController();
    const end = () => done.abort();
    void migrating.then(end, end);
    let requests = 0;
    const one = async () => {
      await connection.db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = '2s'`.execute(tx);
        await add(1).execute(tx);
        await sql`select from events where id = (select max(id) from events)`.execute(tx);
      });
      requests += 1;
    };
    do await Promise.all([one(), one()]);
    while (!done.signal.aborted);
    expect(await migrating).toEqual([nameOf(1, "moods")]);
    expect(requests).toBeGreaterThan(1);
    const { rows } = await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('events_types')`.execute(
      connection.db,
    );
    expect(rows).toEqual([{ valid: true }]);
  });
});
