import { rmSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir } from "../../../../test/engine-process.ts";
import { connect } from "../connect.ts";
import { schemaState } from "../migrate.ts";
import { prepareDatabase } from "../prepare-database.ts";
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

async function prepare(): Promise<void> {
  const opened = connect({ connection: engine.connection, poolSize: 2 });
  try {
    await prepareDatabase(opened, { owner: engine.owner, log: () => {} });
    expect(await schemaState(opened.db)).toBe("current");
  } finally {
    await opened.db.destroy();
  }
}

/** Everything outside the system's schemas that the owner doesn't own, except what belongs to an extension. */
function ownedByOthers(): Promise<object[]> {
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
     where owner not in ('inkstone_owner'::regrole, 'pg_database_owner'::regrole) and nspname !~ '^(pg_|information_schema)'
       and not exists (select from pg_depend where classid = class and objid = object.oid and deptype = 'e')
     union all select datname from pg_database where datname = current_database() and datdba <> 'inkstone_owner'::regrole`,
  );
}

describe("The role of the program on the embedded PostgreSQL", () => {
  test.each([
    "copy (select 1) to program 'cat'",
    "copy pg_class to '/tmp/inkstone-test-copy'",
    "select pg_read_file('/etc/passwd')",
    "alter system set fsync = off",
    "set role inkstone",
    "set role inkstone_owner",
    "set session authorization inkstone",
    "alter role inkstone_app superuser",
    "create role helper superuser",
    "create database other",
    "create table own (id int)",
    "create schema own",
    "create function own() returns int language sql as 'select 1'",
    "set session_replication_role = replica",
  ])("may not %s", async (statement) => {
    const { connection } = engine;
    expect(await query(connection, "select rolsuper from pg_roles where rolname = current_user")).toEqual([
      { rolsuper: false },
    ]);
    await expect(query(connection, statement)).rejects.toMatchObject({ code: NOT_ALLOWED });
  });

  test("owns nothing of the schema, and reads and writes its rows", async () => {
    await prepare();
    expect(await ownedByOthers()).toEqual([]);
    for (const statement of [
      "alter table tags add column own int",
      "drop table tags",
      "truncate tags",
      "create index own on tags (name)",
      "create trigger own after insert on tags for each row execute function note_word_changes()",
      "alter table graphile_worker._private_jobs enable row level security",
      "delete from schema_migrations",
      "insert into graphile_worker.migrations values (99)",
      "create extension citext",
    ])
      await expect(query(engine.connection, statement)).rejects.toMatchObject({
        code: NOT_ALLOWED,
      });
    const rows = await query(
      engine.connection,
      "insert into tags (name) values ('own')",
      "update tags set name = 'owned' where name = 'own'",
      "delete from tags returning name",
    );
    expect(rows).toEqual([{ name: "owned" }]);
    await query(engine.connection, "select graphile_worker.add_job('own')");
    expect(await query(engine.connection, "select from graphile_worker._private_jobs")).toHaveLength(1);
  });

  test("gives up the tables that it owned in an earlier version, and keeps the rows", async () => {
    await prepare();
    await query(engine.owner, "insert into tags (name) values ('kept')");
    const superuser = asSuperuser(engine.connection);
    await query(
      superuser,
      "reassign owned by inkstone_owner to inkstone_app",
      "drop owned by inkstone_owner",
      "drop role inkstone_owner",
    );
    await engine.stop();
    await open();
    await prepare();
    expect(await ownedByOthers()).toEqual([]);
    await expect(query(engine.connection, "drop table tags")).rejects.toMatchObject({ code: NOT_ALLOWED });
    expect(await query(engine.connection, "select name from tags")).toEqual([{ name: "kept" }]);
  });

  test.each([
    "create temp table parsed (document xml)",
    "select xpath('/a', '<a/>')",
    "select xml_is_well_formed('<a/>')",
    "select xmlexists('/a' passing '<a/>')",
    "select query_to_xml('select 1', true, true, '')",
    "select concat('<', 'a/>')::xml",
  ])("may not %s", async (statement) => {
    await expect(query(engine.connection, statement)).rejects.toMatchObject({ code: NOT_ALLOWED });
  });
});
