import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { connectionTo } from "../../test/database.ts";
import { programForAll, urlOf } from "../../test/program.ts";
import { connect, type Connection } from "./connect.ts";
import { schemaState } from "./migrate.ts";
import { checkServer, createExtension, prepareDatabase } from "./prepare-database.ts";

const { inkstone } = programForAll();
const server = connect({ connection: connectionTo("postgres"), poolSize: 1 });
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

const newName = () => `inkstone_test_${randomUUID().replaceAll("-", "")}`;

async function databaseWith(options: string): Promise<Connection & { name: string }> {
  const name = newName();
  await sql`create database ${sql.id(name)} template template0 ${sql.raw(options)}`.execute(server.db);
  const connection = connect({ connection: connectionTo(name), poolSize: 4 });
  made.push({ name, connection });
  return { ...connection, name };
}

/** A role without rights, and the database's address for that role. */
async function ordinaryUserOf(database: string): Promise<{ role: string; url: string }> {
  const role = newName();
  await sql`create role ${sql.id(role)} nologin`.execute(server.db);
  roles.push(role);
  const url = new URL(urlOf(database));
  url.searchParams.set("options", `-c role=${role}`);
  return { role, url: url.href };
}

describe("a database for a site", () => {
  test("that is empty gets the schema", async () => {
    const connection = await databaseWith("");
    const lines: string[] = [];
    await prepareDatabase(connection, (line) => lines.push(line));
    expect(await schemaState(connection.db)).toBe("current");
    expect(lines).toEqual(["The database is empty: creating the tables."]);
    await prepareDatabase(connection, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });

  test("may be prepared by several processes at once", async () => {
    const { name, db } = await databaseWith("");
    // As processes do: each with connections of its own.
    const starters = [1, 2, 3].map(() => connect({ connection: connectionTo(name), poolSize: 4 }));
    const lines: string[] = [];
    await Promise.all(starters.map((starter) => prepareDatabase(starter, (line) => lines.push(line))));
    await Promise.all(starters.map((starter) => starter.db.destroy()));
    expect(await schemaState(db)).toBe("current");
    expect(lines).toHaveLength(1);
  });

  test("has an encoding that holds every letter", async () => {
    const connection = await databaseWith("encoding 'LATIN1' locale 'C'");
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "The database's encoding is LATIN1: create one",
    );
    expect(await schemaState(connection.db)).toBe("empty");
  });

  test("may have a locale that knows no letters but a to z", async () => {
    const connection = await databaseWith("encoding 'UTF8' locale 'C'");
    await prepareDatabase(connection, () => {});
    expect(await schemaState(connection.db)).toBe("current");
  });

  test("with another schema is refused", async () => {
    const connection = await databaseWith("");
    await prepareDatabase(connection, () => {});
    const last = await connection.db
      .selectFrom("schema_migrations")
      .selectAll()
      .orderBy("name", "desc")
      .executeTakeFirstOrThrow();
    const change = (checksum: string) =>
      connection.db
        .updateTable("schema_migrations")
        .set({ checksum })
        .where("name", "=", last.name)
        .execute();
    await change("x");
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "Other migrations than this program's created this database",
    );
    await connection.db.deleteFrom("schema_migrations").where("name", "=", last.name).execute();
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "older than this program: run `inkstone migrate`",
    );
  });
});

describe("pg_trgm", () => {
  test.each([["migrate"], ["serve"]])(
    "stops inkstone %s in one sentence when the user may not create it",
    async (command) => {
      const { name, db } = await databaseWith("");
      const { role, url } = await ordinaryUserOf(name);
      await sql`grant create on schema public to ${sql.id(role)}`.execute(db);
      const { code, out, err } = await inkstone([command], {
        env: { DATABASE_URL: url, PORT: "0", BASE_URL: "http://localhost", LOG_LEVEL: "warn" },
      });
      expect({ code, out, err }).toEqual({
        code: 1,
        out: "",
        err: "inkstone: The database user may not create the extension pg_trgm, which search needs: make it the owner of the database, or run `create extension pg_trgm` there as a superuser.\n",
      });
      expect(await schemaState(db)).toBe("empty");
    },
  );

  test("is created by an ordinary user who may create things in the database", async () => {
    const { name, db } = await databaseWith("");
    const { role, url } = await ordinaryUserOf(name);
    await sql`grant create on database ${sql.id(name)} to ${sql.id(role)}`.execute(db);
    await sql`grant create on schema public to ${sql.id(role)}`.execute(db);
    expect(await inkstone(["migrate"], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0, err: "" });
    expect(await schemaState(db)).toBe("current");
  });

  test("that a superuser has created asks no right of the user", async () => {
    const { name, db } = await databaseWith("");
    const { url } = await ordinaryUserOf(name);
    const user = connect({ connection: { connectionString: url }, poolSize: 1 });
    await expect(checkServer(user.db)).rejects.toThrow("The database user may not create the extension");
    await sql`create extension pg_trgm`.execute(db);
    await checkServer(user.db);
    await user.db.destroy();
  });

  test("that stands where the user doesn't look is said to", async () => {
    const connection = await databaseWith("");
    await sql`create schema extensions`.execute(connection.db);
    await sql`create extension pg_trgm schema extensions`.execute(connection.db);
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "run `alter extension pg_trgm set schema public` there as a superuser",
    );
  });

  test("is asked for by its package when the server lacks its files", async () => {
    await expect(createExtension(server.db, "inkstone_none")).rejects.toThrow(
      /^The database server lacks the extension inkstone_none \(extension "inkstone_none" is not available\): install PostgreSQL's contrib package/,
    );
  });
});
