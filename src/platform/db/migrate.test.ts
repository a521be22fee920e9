import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, superuserTo } from "../../../test/database.ts";
import { type Connection, connect } from "./connect.ts";
import { migrate, schemaState } from "./migrate.ts";

describe("migrations", () => {
  let connection: Connection;
  let name: string;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    ({ name, drop } = await createDatabase());
    connection = connect({ connection: superuserTo(name), poolSize: 4 });
  });
  afterEach(async () => {
    await connection.db.destroy();
    await drop();
  });

  test("eight that start at once on an empty database run each file once", async () => {
    await sql`drop schema public cascade; create schema public`.execute(connection.db);
    expect(await schemaState(connection.db)).toBe("empty");
    // As processes do: each with connections of its own.
    const starters = Array.from({ length: 8 }, () => connect({ connection: superuserTo(name), poolSize: 2 }));
    const runs = await Promise.all(starters.map((starter) => migrate(starter)));
    await Promise.all(starters.map(({ db }) => db.destroy()));
    expect(runs.filter((ran) => ran.length > 0)).toHaveLength(1);
    expect(await schemaState(connection.db)).toBe("current");
  });

  test("a file that has not run makes the schema older, one from elsewhere newer", async () => {
    await sql`delete from schema_migrations where name like '0003%'`.execute(connection.db);
    expect(await schemaState(connection.db)).toBe("older");
    await sql`insert into schema_migrations (name, checksum, kind) values ('9999-later.sql', '', 'contract')`.execute(
      connection.db,
    );
    expect(await schemaState(connection.db)).toBe("newer");
    await expect(migrate(connection)).rejects.toThrow("newer than this program");
  });

  test("a database of a version before the first release is refused with how to move it", async () => {
    const older = ["0002-articles.sql", "0003-kits.sql", "0036-checked-matches.sql"];
    await connection.db.deleteFrom("schema_migrations").execute();
    await connection.db
      .insertInto("schema_migrations")
      .values(older.map((name) => ({ name, checksum: "x", kind: "expand" })))
      .execute();
    await expect(migrate(connection)).rejects.toThrow(
      /^Other migrations .* `inkstone export FILE --with-secrets` with the version of Inkstone that created it/,
    );
  });
});
