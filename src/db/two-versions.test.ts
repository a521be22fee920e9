import { type RawBuilder, sql } from "kysely";
import { beforeEach, afterEach, describe, expect, test } from "vitest";
import { createDatabase, superuserTo } from "../../test/database.ts";
import { type Connection, connect } from "./connect.ts";
import { isUnavailable } from "./failures.ts";
import { migrate, schemaState } from "./migrate.ts";
import { type Migration, newestOf, ownMigrations, toMigration } from "./migrations.ts";
import { showProgram } from "./sessions.ts";

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
  newest = newestOf(own);
  newer = [
    ...own,
    toMigration(nameOf(1, "moods"), "-- expand\n\nalter table users add column mood text;\n"),
    toMigration(nameOf(2, "no-summary"), "-- contract\n\nalter table users drop column summary cascade;\n"),
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

/** Runs a statement in a transaction that stays open until `letGo` is called. */
function hold(statement: RawBuilder<unknown>): { isDone: Promise<void> } {
  const isDone = connection.db.transaction().execute(async (tx) => {
    await statement.execute(tx);
    await new Promise<void>((resolve) => (letGo = resolve));
  });
  return { isDone };
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

async function nameOfDatabase(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(connection.db);
  return rows[0]?.name ?? "";
}

/** Shows a program of this newest migration, with connections of its own. */
async function program(number: number) {
  const opened = connect({ connection: superuserTo(await nameOfDatabase()), poolSize: 2 });
  const end = await showProgram(opened.pool, number).catch(async (error: unknown) => {
    await opened.db.destroy();
    throw error;
  });
  return {
    opened,
    async end() {
      end?.();
      await opened.db.destroy();
    },
  };
}

describe("a newer version's migrations", () => {
  test("that expand the schema run beside the older one, which works on it", async () => {
    expect(await schemaState(connection.db, newer)).toBe("older");
    expect(await migrate(connection, { known: newer })).toEqual({
      ran: [nameOf(1, "moods"), nameOf(3, "places")],
      waiting: [nameOf(2, "no-summary")],
    });
    expect(await columns()).toEqual(["mood", "place", "summary"]);
    expect(await schemaState(connection.db, newer)).toBe("current");
    expect(await schemaState(connection.db)).toBe("current");
    expect(await migrate(connection)).toEqual({ ran: [], waiting: [] });
    expect(await migrate(connection, { finish: true })).toEqual({ ran: [], waiting: [] });
  });

  test("that contract it run when the older one has ended, and not before", async () => {
    const older = await program(newest);
    const current = await program(newest + 3);
    const finish = () => migrate(connection, { known: newer, finish: true });
    await expect(finish()).rejects.toThrow(
      "Servers of an older version are connected: run `inkstone migrate --finish` when all of them have ended.",
    );
    // The expanding ones have run.
    expect(await columns()).toEqual(["mood", "place", "summary"]);
    await older.end();
    expect(await finish()).toEqual({ ran: [nameOf(2, "no-summary")], waiting: [] });
    expect(await columns()).toEqual(["mood", "place"]);
    expect(await schemaState(connection.db, newer)).toBe("current");
    expect(await schemaState(connection.db)).toBe("newer");
    await expect(migrate(connection)).rejects.toThrow("The database's schema is newer than this program");
    await current.end();
  });

  test("that contract it keep an older one off that starts meanwhile, which then finds a newer schema", async () => {
    await migrate(connection, { known: newer });
    const { isDone } = hold(sql`select from users`);
    const finished = migrate(connection, { known: newer, finish: true });
    await expect.poll(() => isWaiting("relation")).toBe(true);
    const refusal = await program(newest).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: "`inkstone migrate --finish` is running" });
    expect(isUnavailable(refusal)).toBe(true);
    letGo();
    await isDone;
    await finished;
    const older = await program(newest);
    expect(await schemaState(older.opened.db)).toBe("newer");
    await older.end();
  });

  test("that contract it let programs connect again first when PostgreSQL has just started", async () => {
    await migrate(connection, { known: newer });
    // In the place of PostgreSQL's own, so that the test decides how long the pause is.
    await sql`
      create function pg_postmaster_start_time() returns timestamptz language sql
      return clock_timestamp() - interval '4 seconds'`.execute(connection.db);
    await sql`create table pause (); grant all on pause to public`.execute(connection.db);
    await sql`
      create function pg_sleep(seconds numeric) returns void language plpgsql as $$ begin
        assert seconds between 5 and 7;
        lock table pause in share mode;
      end $$`.execute(connection.db);
    const { isDone } = hold(sql`lock table pause`);
    const held = sql`select from pg_locks where relation = 'pause'::regclass and granted`;
    await expect.poll(async () => (await held.execute(connection.db)).rows.length).toBe(1);
    const search = { options: "-c search_path=public,pg_catalog" };
    const started = connect({
      connection: { ...superuserTo(await nameOfDatabase()), ...search },
      poolSize: 6,
    });
    const finished = migrate(started, { known: newer, finish: true });
    // It fails before the test waits for it.
    finished.catch(() => {});
    await expect.poll(() => isWaiting("relation")).toBe(true);
    const older = await program(newest);
    letGo();
    await isDone;
    await expect(finished).rejects.toThrow("Servers of an older version are connected");
    await older.end();
    await started.db.destroy();
  });

  test("all run on an empty database, in their order", async () => {
    await sql`drop schema public cascade; create schema public`.execute(connection.db);
    const { ran, waiting } = await migrate(connection, { known: newer });
    expect({ ran, waiting }).toEqual({ ran: newer.map(({ name }) => name), waiting: [] });
  });
});

async function isWaiting(kind: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks where locktype = ${kind} and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(connection.db);
  return rows.length > 0;
}

test("a program whose connection was lost shows itself again", async () => {
  const older = await program(newest);
  const lost = sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and objid = ${newest} and objsubid = 2`;
  await lost.execute(connection.db);
  const shown = async () =>
    (
      await sql`select from pg_locks where locktype = 'advisory' and objid = ${newest} and granted`.execute(
        connection.db,
      )
    ).rows.length;
  await expect.poll(shown).toBe(1);
  await older.end();
  await expect.poll(shown).toBe(0);
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
    const { isDone } = hold(sql`lock table users in row exclusive mode`);
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
    expect(await migrate(connection, { known: building() })).toMatchObject({ ran: [nameOf(1, "moods")] });
    expect(await isValid()).toBe(true);
  });

  test("repeats after a kill between the index and the note that it ran", async () => {
    await sql`create index users_names on users (name)`.execute(connection.db);
    expect(await migrate(connection, { known: building() })).toMatchObject({ ran: [nameOf(1, "moods")] });
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
    expect(await migrating).toEqual({ ran: [nameOf(1, "moods")], waiting: [] });
    expect(requests).toBeGreaterThan(1);
    const { rows } = await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('events_types')`.execute(
      connection.db,
    );
    expect(rows).toEqual([{ valid: true }]);
  });
});
