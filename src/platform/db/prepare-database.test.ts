import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { ownerTo, superuserTo } from "../../../test/database.ts";
import { commandsForAll, urlOf } from "../../../test/commands.ts";
import { connect, type Connection } from "./connect.ts";
import { SCHEMA_PROBLEM, schemaState } from "./migrate.ts";
import { prepareDatabase } from "./prepare-database.ts";

const { inkstone } = commandsForAll();
const server = connect({ connection: superuserTo("postgres"), poolSize: 1 });
const made: { name: string; connection: Connection }[] = [];
const roles: string[] = [];
afterAll(async () => {
  for (const { name, connection } of made) {
    await connection.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(server.db);
  }
  for (const role of roles) await sql`drop role ${sql.id(role)}`.execute(server.db);
  await server.db.destroy();
});

const NEW_USER = ["user", "create", "--username", "lena", "--name", "Lena"];

const newName = () => `inkstone_test_${randomUUID().replaceAll("-", "")}`;

async function databaseWith(options: string): Promise<Connection & { name: string }> {
  const name = newName();
  await sql`create database ${sql.id(name)} template template0 ${sql.raw(options)}`.execute(server.db);
  const connection = connect({ connection: superuserTo(name), poolSize: 4 });
  made.push({ name, connection });
  return { ...connection, name };
}

/** A role without rights, and the database's address for that role. */
async function ordinaryUserOf(database: string): Promise<{ role: string; url: string }> {
  const role = newName();
  await sql`create role ${sql.id(role)} nologin`.execute(server.db);
  roles.push(role);
  const url = new URL(urlOf(database, superuserTo(database)));
  url.searchParams.set("options", `-c role=${role}`);
  return { role, url: url.href };
}

describe("a database for a site", () => {
  test("that is empty gets the schema", async () => {
    const connection = await databaseWith("");
    const lines: string[] = [];
    await prepareDatabase(connection, { log: (line) => lines.push(line) });
    expect(await schemaState(connection.db)).toBe("current");
    expect(lines).toEqual(["The database is empty: creating the tables."]);
    await prepareDatabase(connection, { log: (line) => lines.push(line) });
    expect(lines).toHaveLength(1);
  });

  test("stays empty when a command that begins no site meets it", async () => {
    const { name, db } = await databaseWith("");
    const env = { DATABASE_URL: urlOf(name, superuserTo(name)) };
    const err = `inkstone: ${SCHEMA_PROBLEM.empty}\n`;
    expect(await inkstone(["settings", "get"], { env })).toEqual({ code: 1, out: "", err });
    expect(await schemaState(db)).toBe("empty");
    expect(await inkstone(["migrate"], { env })).toMatchObject({ code: 0 });
    expect(await inkstone(["settings", "get"], { env })).toMatchObject({ code: 0 });
  });

  test("has an encoding that holds every letter", async () => {
    const connection = await databaseWith("encoding 'LATIN1' locale 'C'");
    await expect(prepareDatabase(connection, { log: () => {} })).rejects.toThrow(
      "The database's encoding is LATIN1: create one",
    );
    expect(await schemaState(connection.db)).toBe("empty");
  });

  test("may have a locale that knows no letters but a to z", async () => {
    const connection = await databaseWith("encoding 'UTF8' locale 'C'");
    await prepareDatabase(connection, { log: () => {} });
    expect(await schemaState(connection.db)).toBe("current");
  });

  test("with another schema is refused", async () => {
    const connection = await databaseWith("");
    await prepareDatabase(connection, { log: () => {} });
    const last = await connection.db
      .selectFrom("schema_migrations")
      .selectAll()
      .where("kind", "=", "expand")
      .orderBy("name", "desc")
      .executeTakeFirstOrThrow();
    const change = (checksum: string) =>
      connection.db
        .updateTable("schema_migrations")
        .set({ checksum })
        .where("name", "=", last.name)
        .execute();
    await change("x");
    await expect(prepareDatabase(connection, { log: () => {} })).rejects.toThrow(
      "Other migrations than this program's created this database",
    );
    await connection.db.deleteFrom("schema_migrations").where("name", "=", last.name).execute();
    await expect(prepareDatabase(connection, { log: () => {} })).rejects.toThrow(
      "older than this program: run `inkstone migrate`",
    );
  });
});

describe("a database with two roles", () => {
  /** An empty one of the owner, and its addresses. */
  async function ownersDatabase() {
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(
      (owner ??= connect({ connection: ownerTo("postgres"), poolSize: 1 })).db,
    );
    const { name, db } = await databaseWith(`owner ${rows[0]?.role}`);
    return { db, env: { DATABASE_URL: urlOf(name), DATABASE_OWNER_URL: urlOf(name, ownerTo(name)) } };
  }
  let owner: Connection | undefined;
  afterAll(() => owner?.db.destroy());

  test("is migrated by its owner, and used by the other", async () => {
    const { env } = await ownersDatabase();
    expect(await inkstone(["migrate"], { env })).toMatchObject({ code: 0, err: "" });
    const served = { DATABASE_URL: env.DATABASE_URL };
    expect(await inkstone(["migrate"], { env: served })).toMatchObject({
      out: "The schema is up to date.\n",
    });
    expect(
      await inkstone(["user", "create", "--username", "ada", "--name", "Ada"], { env: served }),
    ).toMatchObject({ code: 0 });
    const program = connect({ connection: { connectionString: env.DATABASE_URL }, poolSize: 1 });
    const refused = { code: "42501" };
    await expect(sql`drop table users`.execute(program.db)).rejects.toMatchObject(refused);
    await expect(sql`create table own ()`.execute(program.db)).rejects.toMatchObject(refused);
    await expect(sql`delete from schema_migrations`.execute(program.db)).rejects.toMatchObject(refused);
    await program.db.destroy();
  });

  test("is set up at the first start of the program, if it has both addresses", async () => {
    const { env } = await ownersDatabase();
    expect(await inkstone(NEW_USER, { env })).toMatchObject({ code: 0 });
  });

  test("says what is missing while the tables are closed to the program's role, and opens them", async () => {
    const { env } = await ownersDatabase();
    await inkstone(["migrate"], { env: { DATABASE_URL: env.DATABASE_OWNER_URL } });
    const served = { DATABASE_URL: env.DATABASE_URL };
    for (const command of [["settings", "get"], ["migrate"]])
      expect(await inkstone(command, { env: served })).toMatchObject({
        code: 1,
        err: "inkstone: The database user may not use the tables: run `inkstone migrate` with DATABASE_OWNER_URL, or name the tables' owner in DATABASE_URL.\n",
      });
    expect(await inkstone(["migrate"], { env })).toMatchObject({
      code: 0,
      out: "The schema is up to date.\n",
    });
    expect(await inkstone(["settings", "get"], { env: served })).toMatchObject({ code: 0 });
  });

  test("refuses addresses of two databases, and an owner that can't log in, and changes nothing", async () => {
    const [one, other] = [await ownersDatabase(), await ownersDatabase()];
    const mixed = { ...one.env, DATABASE_OWNER_URL: other.env.DATABASE_OWNER_URL };
    expect(await inkstone(["migrate"], { env: mixed })).toMatchObject({
      code: 1,
      err: "inkstone: DATABASE_OWNER_URL names another database than DATABASE_URL: correct one of them.\n",
    });
    const nobody = {
      ...one.env,
      DATABASE_OWNER_URL: one.env.DATABASE_OWNER_URL.replace(/_owner/g, "_nobody"),
    };
    const { code, err } = await inkstone(["migrate"], { env: nobody });
    expect(code).toBe(1);
    expect(err).toMatch(/^inkstone: The database refuses DATABASE_OWNER_URL \(.*\): correct it\.\n$/);
    expect([await schemaState(one.db), await schemaState(other.db)]).toEqual(["empty", "empty"]);
  });
});

describe("an ordinary user", () => {
  test("who may create things in the database prepares it", async () => {
    const { name, db } = await databaseWith("");
    const { role, url } = await ordinaryUserOf(name);
    await sql`grant create on database ${sql.id(name)} to ${sql.id(role)}`.execute(db);
    await sql`grant create on schema public to ${sql.id(role)}`.execute(db);
    expect(await inkstone(["migrate"], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0, err: "" });
    expect(await schemaState(db)).toBe("current");
  });

  test.each([["migrate"], ["serve"]])("who may not stops inkstone %s in one sentence", async (command) => {
    const { name, db } = await databaseWith("");
    const { role, url } = await ordinaryUserOf(name);
    await sql`grant create on schema public to ${sql.id(role)}`.execute(db);
    const { code, out, err } = await inkstone([command], {
      env: { DATABASE_URL: url, PORT: "0", BASE_URL: "http://localhost", LOG_LEVEL: "warn" },
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^inkstone: The database user lacks the permission: run `inkstone migrate` with DATABASE_OWNER_URL, or make it the owner of the database \(.*\)\.\n$/,
    );
    await sql`grant create on database ${sql.id(name)} to ${sql.id(role)}`.execute(db);
    expect(await inkstone(["migrate"], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
    expect(await schemaState(db)).toBe("current");
  });
});
