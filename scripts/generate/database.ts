import { generate, PostgresDialect } from "kysely-codegen";
import { createDatabase, startServer } from "../../test/database.ts";
import { describeSchema } from "./schema-sql.ts";

/** The types of all tables, and the schema as SQL to read, both taken from a freshly migrated database. */
export async function databaseFiles(): Promise<Record<string, string>> {
  const stopServer = await startServer();
  const { connection, drop } = await createDatabase();
  try {
    const tables = await generate({
      // Its types come from a Kysely of their own, built for CommonJS.
      db: connection.db as never,
      dialect: new PostgresDialect(),
      includePattern: "public.*",
      defaultSchemas: ["public"],
      outFile: null,
    });
    return { "src/platform/db/tables.ts": tables, "db/schema.sql": await describeSchema(connection.db) };
  } finally {
    await drop();
    await stopServer();
  }
}
