import { rmSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir } from "../../../test/engine-process.ts";
import { connect } from "../connect.ts";
import { migrate, schemaState } from "../migrate.ts";
import { asSuperuser, type EngineConnection } from "./database.ts";
import { type Engine, openEngine } from "./engine.ts";

const NOT_ALLOWED = "42501";

let dataDir: string;
let engine: Engine;

beforeAll(async () => {
  dataDir = newDataDir();
  await open();
});
afterAll(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function open(): Promise<void> {
  engine = await openEngine({ dataDir, holder: "server", log: () => {} });
}

async function query<T extends object>(connection: EngineConnection, ...statements: string[]): Promise<T[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    let rows: T[] = [];
    for (const statement of statements) ({ rows } = await client.query<T>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function migrateWith(connection: EngineConnection): Promise<string[]> {
  const opened = connect({ connection, poolSize: 2 });
  try {
    const ran = await migrate(opened);
    expect(await schemaState(opened.db)).toBe("current");
    return ran;
  } finally {
    await opened.db.destroy();
  }
}

/** Everything outside the system's schemas that its superuser owns, except what belongs to an extension. */
function ownedBySuperuser(): Promise<object[]> {
  return query(
    asSuperuser(engine.connection),
    `select name from (
       select 'pg_class'::regclass as class, oid, relnamespace as namespace, relname as name, relowner as owner
       from pg_class
       union all select 'pg_proc'::regclass, oid, pronamespace, proname, proowner from pg_proc
       union all select 'pg_type'::regclass, oid, typnamespace, typname, typowner from pg_type
       union all select 'pg_namespace'::regclass, oid, oid, nspname, nspowner from pg_namespace
     ) as object
     join pg_namespace on pg_namespace.oid = namespace
     where owner = current_user::regrole and nspname !~ '^(pg_|information_schema)'
       and not exists (select from pg_depend where classid = class and objid = object.oid and deptype = 'e')
     union all select datname from pg_database where datname = current_database() and datdba = current_user::regrole`,
  );
}

describe("The role of the program on the embedded PostgreSQL", () => {
  test.each([
    "copy (select 1) to program 'cat'",
    "copy pg_class to '/tmp/inkstone-test-copy'",
    "select pg_read_file('/etc/passwd')",
    "alter system set fsync = off",
    "set role inkstone",
    "set session authorization inkstone",
    "alter role inkstone_app superuser",
    "create role helper superuser",
    "create database other",
    "set session_replication_role = replica",
  ])("may not %s", async (statement) => {
    const { connection } = engine;
    expect(await query(connection, "select rolsuper from pg_roles where rolname = current_user")).toEqual([
      { rolsuper: false },
    ]);
    await expect(query(connection, statement)).rejects.toMatchObject({ code: NOT_ALLOWED });
  });

  test("makes the schema, and owns all of it", async () => {
    expect((await migrateWith(engine.connection)).length).toBeGreaterThan(0);
    expect(await ownedBySuperuser()).toEqual([]);
  });
});
