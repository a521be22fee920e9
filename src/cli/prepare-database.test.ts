import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { connectionTo } from "../../test/database.ts";
import { connect, type Connection } from "../db/connect.ts";
import { schemaState } from "../db/migrate.ts";
import { prepareDatabase } from "./prepare-database.ts";

const server = connect({ connection: connectionTo("postgres"), poolSize: 1 });
const made: { name: string; connection: Connection }[] = [];
afterAll(async () => {
  for (const { name, connection } of made) {
    await connection.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(server.db);
  }
  await server.db.destroy();
});

async function databaseWith(options: string): Promise<Connection> {
  const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
  await sql`create database ${sql.id(name)} template template0 ${sql.raw(options)}`.execute(server.db);
  const connection = connect({ connection: connectionTo(name), poolSize: 4 });
  made.push({ name, connection });
  return connection;
}

describe("a database for a site", () => {
  test("that is empty gets the schema", async () => {
    const connection = await databaseWith("");
    const lines: string[] = [];
    await prepareDatabase(connection, (line) => lines.push(line));
    expect(await schemaState(connection.db)).toBe("current");
    expect(lines).toEqual(["The database is empty: making the tables."]);
    await prepareDatabase(connection, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });

  test("may be prepared by several processes at once", async () => {
    const connection = await databaseWith("");
    await Promise.all([1, 2, 3].map(() => prepareDatabase(connection, () => {})));
    expect(await schemaState(connection.db)).toBe("current");
  });

  test("has an encoding that holds every letter", async () => {
    const connection = await databaseWith("encoding 'LATIN1' locale 'C'");
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "The database's encoding is LATIN1: create one",
    );
    expect(await schemaState(connection.db)).toBe("empty");
  });

  test("has a locale that knows every letter", async () => {
    const connection = await databaseWith("encoding 'UTF8' locale 'C'");
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "The database's locale knows no letters but a to z",
    );
  });

  test("whose user may not create the extension says how to get it", async () => {
    const connection = await databaseWith("");
    const role = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
    await sql`create role ${sql.id(role)} nologin`.execute(connection.db);
    const refused = connection.db.connection().execute(async (session) => {
      await sql`set role ${sql.id(role)}`.execute(session);
      try {
        await prepareDatabase({ db: session, pool: connection.pool }, () => {});
      } finally {
        await sql`reset role`.execute(session);
        await sql`drop role ${sql.id(role)}`.execute(session);
      }
    });
    await expect(refused).rejects.toThrow("run `create extension pg_trgm` there as a superuser");
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
      "A migration that this database has run differs",
    );
    await connection.db.deleteFrom("schema_migrations").where("name", "=", last.name).execute();
    await expect(prepareDatabase(connection, () => {})).rejects.toThrow(
      "older than this program: run `inkstone migrate`",
    );
  });
});
