import { sql } from "kysely";
import type { Connection, Db } from "../db/connect.ts";
import { failureCode } from "../db/failures.ts";
import { migrate, SCHEMA_PROBLEM, schemaState } from "../db/migrate.ts";
import { invalid } from "../errors.ts";

const OLDEST_VERSION = 15;

/**
 * Makes sure that a database can hold a site: the server's own properties, and the schema. An empty
 * database gets the schema at once; any other that isn't this program's is refused.
 * @throws AppError invalid that says what is wrong and how to mend it
 */
export async function prepareDatabase(connection: Connection, log: (line: string) => void): Promise<void> {
  await checkServer(connection.db);
  const state = await schemaState(connection.db);
  if (state === "empty") {
    log("The database is empty: making the tables.");
    await migrate(connection);
  } else if (state !== "current") throw invalid(SCHEMA_PROBLEM[state]);
}

/**
 * What a site needs whatever its schema: version, encoding, and an extension that knows letters.
 * @throws AppError invalid
 */
export async function checkServer(db: Db): Promise<void> {
  const { version, encoding } = await describeServer(db);
  if (Number.parseInt(version, 10) < OLDEST_VERSION) {
    throw invalid(
      `The database server is PostgreSQL ${version}, and Inkstone needs ${OLDEST_VERSION} or newer.`,
    );
  }
  if (encoding !== "UTF8") {
    throw invalid(
      `The database's encoding is ${encoding}: create one with \`createdb --encoding=UTF8 --template=template0\`.`,
    );
  }
  await createTrigrams(db);
  if (!(await knowsLetters(db))) {
    throw invalid(
      "The database's locale knows no letters but a to z: create one with `createdb --locale=C.UTF-8 --template=template0`.",
    );
  }
}

export interface ServerDescription {
  version: string;
  encoding: string;
}

export async function describeServer(db: Db): Promise<ServerDescription> {
  const { rows } = await sql<ServerDescription>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error("The database doesn't say what it is.");
  return row;
}

export async function hasTrigrams(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(db);
  return rows.length > 0;
}

/** Whether letters outside ASCII are letters to the database; needs pg_trgm. */
export async function knowsLetters(db: Db): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select cardinality(show_trgm('é')) > 0 as known`.execute(db);
  return rows[0]?.known ?? false;
}

/** What PostgreSQL says when an extension can't be made: its files are missing, or the right to. */
const MISSING_FILES = ["58P01", "0A000"];
const MISSING_RIGHT = "42501";
/** Another process made it at this very moment. */
const MADE_MEANWHILE = ["23505", "42710"];

async function createTrigrams(db: Db): Promise<void> {
  if (await hasTrigrams(db)) return;
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
  } catch (error) {
    const code = failureCode(error);
    if (MADE_MEANWHILE.includes(code)) return;
    if (MISSING_FILES.includes(code)) {
      throw invalid(
        "The database server lacks the extension pg_trgm: install PostgreSQL's contrib package there.",
      );
    }
    if (code !== MISSING_RIGHT) throw error;
    throw invalid(
      "The database user may not create the extension pg_trgm: run `create extension pg_trgm` there as a superuser.",
    );
  }
}
