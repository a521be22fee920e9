import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Config } from "../config.ts";
import { connect, type Db } from "../db/connect.ts";
import { SCHEMA_PROBLEM, schemaState } from "../db/migrate.ts";
import { toSentence } from "./failures.ts";
import { checkFiles } from "./doctor-files.ts";
import { checkExtension, checkSearch } from "./doctor-search.ts";
import { type OnCheck, verify } from "./doctor-verify.ts";
import { examineOne, type Finding } from "./finding.ts";
import { describeServer } from "./prepare-database.ts";
import { openConnection } from "./with-database.ts";

type Found = Omit<Finding, "check">;

export interface DatabaseOptions {
  /** Whether all data is checked for consistency too, which takes longer the more there is. */
  verify: boolean;
  onCheck?: OnCheck;
}

/** What the database says of itself. Nothing is made or changed: a site that isn't set up yet stays so. */
export async function checkDatabase(config: Config, options: DatabaseOptions): Promise<Finding[]> {
  const isEmbedded = config.databaseUrl === undefined;
  const engine = isEmbedded ? `Embedded, in ${config.dataDir}.` : "External, named by DATABASE_URL.";
  const findings: Finding[] = [{ check: "engine", result: "ok", message: engine }];
  if (isEmbedded && !existsSync(join(config.dataDir, "postgres"))) {
    const message = "Not set up yet: `inkstone serve` sets it up.";
    return [...findings, { check: "database", result: "ok", message }];
  }
  try {
    return [...findings, ...(await ask(config, options))];
  } catch (error) {
    return [...findings, { check: "database", result: "fail", message: toSentence(error) }];
  }
}

async function ask(config: Config, options: DatabaseOptions): Promise<Finding[]> {
  const { connection, close } = await openConnection(config, () => {});
  const { db } = connect({ connection, poolSize: 1 });
  try {
    // Not caught here: without a version there is no database to ask the rest.
    const version = await checkVersion(db);
    const schema = await examineOne("schema", () => checkSchema(db));
    return [
      { check: "database", ...version },
      await examineOne("role", () => checkRole(db)),
      schema,
      await examineOne("durability", () => checkDurability(db)),
      await examineOne("encoding", () => checkEncoding(db)),
      await examineOne("extension", () => checkExtension(db)),
      // Another schema may not have the tables.
      ...(schema.result === "ok" ? [await examineOne("search", () => checkSearch(db))] : []),
      await examineOne("clock", () => checkClock(db)),
      ...(options.verify && schema.result === "ok" ? await compare(db, config, options) : []),
    ];
  } finally {
    await db.destroy();
    await close();
  }
}

async function compare(db: Db, config: Config, { onCheck }: DatabaseOptions): Promise<Finding[]> {
  return [...(await verify(db, onCheck)), await examineOne("files", () => checkFiles(db, config))];
}

async function checkVersion(db: Db): Promise<Found> {
  const { version } = await describeServer(db);
  if (Number.parseInt(version, 10) >= 15) return { result: "ok", message: `PostgreSQL ${version}.` };
  return { result: "fail", message: `PostgreSQL ${version}: install 15 or newer.` };
}

/** The role that the connection logged in with: a statement could always return to it. */
export async function checkRole(db: Db): Promise<Found> {
  const { rows } = await sql<{ name: string; isSuperuser: boolean }>`
    select rolname as name, rolsuper as "isSuperuser" from pg_roles where rolname = session_user`.execute(db);
  const [role] = rows;
  if (!role) throw new Error("The database doesn't name its role.");
  if (!role.isSuperuser) return { result: "ok", message: `${role.name}, which is not a superuser.` };
  return {
    result: "warn",
    message:
      `${role.name} is a superuser, which can read files and run programs on the database's computer: ` +
      `make the database and its tables the property of a plain role, and use that role in DATABASE_URL.`,
  };
}

async function checkSchema(db: Db): Promise<Found> {
  const state = await schemaState(db);
  if (state === "current") return { result: "ok", message: "Up to date." };
  return { result: state === "empty" ? "warn" : "fail", message: SCHEMA_PROBLEM[state] };
}

export async function checkDurability(db: Db): Promise<Found> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    order by name`.execute(db);
  if (rows.length === 0) return { result: "ok", message: "Acknowledged writes are on disk." };
  const names = rows.map(({ name }) => name).join(", ");
  return {
    result: "fail",
    message: `Turned off: ${names}. A crash can lose acknowledged writes: turn them on.`,
  };
}

async function checkEncoding(db: Db): Promise<Found> {
  const { encoding } = await describeServer(db);
  if (encoding === "UTF8") return { result: "ok", message: "UTF8." };
  return { result: "fail", message: `${encoding}: move to a database with the encoding UTF8.` };
}

const MAX_CLOCK_SECONDS = 2;

async function checkClock(db: Db): Promise<Found> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  // The database read its clock somewhere in between.
  const middle = (before + Date.now()) / 2;
  const seconds = Math.abs((rows[0]?.now.getTime() ?? 0) - middle) / 1_000;
  if (seconds <= MAX_CLOCK_SECONDS)
    return { result: "ok", message: "The database's clock agrees with this computer's." };
  const message = `The database's clock differs by ${seconds.toFixed(1)} s: synchronize both with a time server.`;
  return { result: "warn", message };
}
