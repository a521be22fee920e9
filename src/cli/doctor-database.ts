import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Config } from "../config.ts";
import { connect, type Db } from "../db/connect.ts";
import { SCHEMA_PROBLEM, schemaState } from "../db/migrate.ts";
import { describeServer } from "../db/prepare-database.ts";
import { checkFiles } from "../health/files.ts";
import { examineOne, fail, type Finding, type Outcome, ok, warn } from "../health/finding.ts";
import { type OnCheck, verify } from "../health/invariants.ts";
import { checkMemory } from "../health/search-memory.ts";
import * as settings from "../settings/settings.ts";
import { searchVersion } from "../search-index/vector.ts";
import { checkAdmins, checkDemo } from "./doctor-people.ts";
import { toSentence } from "./failures.ts";
import { openConnection } from "./with-database.ts";

export interface DatabaseOptions {
  /** Checks all invariants, which takes longer the more data there is. */
  verify: boolean;
  onCheck?: OnCheck;
}

/** Changes nothing: an empty site stays empty. */
export async function checkDatabase(config: Config, options: DatabaseOptions): Promise<Finding[]> {
  const isEmbedded = config.databaseUrl === undefined;
  const message = isEmbedded ? `Embedded, in ${config.dataDir}.` : "External, named by DATABASE_URL.";
  const engine: Finding = { check: "engine", ...ok(message) };
  if (isEmbedded && !existsSync(join(config.dataDir, "postgres")))
    return [engine, { check: "database", ...ok("Not set up yet: `inkstone serve` sets it up.") }];
  try {
    return [engine, ...(await ask(config, options))];
  } catch (error) {
    return [engine, { check: "database", ...fail(toSentence(error)) }];
  }
}

async function ask(config: Config, { verify: isWhole, onCheck }: DatabaseOptions): Promise<Finding[]> {
  const { connection, close } = await openConnection(config, () => {});
  const { db } = connect({ connection, poolSize: 1 });
  try {
    // A failure ends the checks: they all need the database.
    const findings: Finding[] = [{ check: "database", ...(await checkVersion(db)) }];
    const isCurrent = () => findings.some(({ check, result }) => check === "schema" && result === "ok");
    for (const [check, look] of Object.entries(CHECKS)) {
      if (!NEED_TABLES.has(look) || isCurrent()) findings.push(await examineOne(check, () => look(db)));
    }
    if (!isWhole || !isCurrent()) return findings;
    findings.push(...(await verify(db, onCheck)));
    findings.push(await examineOne("search memory", () => checkMemory(db, config)));
    return [...findings, await examineOne("files", () => checkFiles(db, config))];
  } finally {
    await db.destroy();
    await close();
  }
}

/** Another schema may lack their tables. */
const NEED_TABLES: Set<unknown> = new Set([checkSearch, checkDemo, checkAdmins]);

const CHECKS: Record<string, (db: Db) => Promise<Outcome>> = {
  role: checkRole,
  schema: checkSchema,
  durability: checkDurability,
  encoding: checkEncoding,
  letters: checkLetters,
  search: checkSearch,
  demo: checkDemo,
  admins: checkAdmins,
  clock: checkClock,
};

async function checkVersion(db: Db): Promise<Outcome> {
  const { version } = await describeServer(db);
  if (Number.parseInt(version, 10) >= 15) return ok(`PostgreSQL ${version}.`);
  return fail(`PostgreSQL ${version}: install 15 or newer.`);
}

/** The role that logged in: a statement can always return to it, and change to roles of which it is a member. */
export async function checkRole(db: Db): Promise<Outcome> {
  const { rows } = await sql<{
    name: string;
    isSuperuser: boolean;
    mayCreate: boolean;
    owner: string | null;
  }>`
    select rolname as name, rolsuper as "isSuperuser", pg_has_role(rolname, datdba, 'member')
        or has_database_privilege(rolname, datname, 'create') or has_schema_privilege(rolname, 'public', 'create')
        as "mayCreate",
      (select max(pg_get_userbyid(relowner)) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_has_role(rolname, relowner, 'member'))
        as owner
    from pg_roles, pg_database where rolname = session_user and datname = current_database()`.execute(db);
  const [role] = rows;
  if (!role) throw new Error("The database doesn't name its role.");
  const { name, isSuperuser, mayCreate, owner } = role;
  if (isSuperuser)
    return warn(
      `${name} is a superuser, which can read files and run programs on the database's computer: ` +
        `make the database and its tables the property of a plain role, and use that role in DATABASE_URL.`,
    );
  if (owner === null && !mayCreate) return ok(`${name} reads and writes rows. Another role owns the tables.`);
  const power = owner === null ? "may create tables" : "owns the tables, and may change and drop them";
  return ok(`${name} is not a superuser, but ${power}: DATABASE_OWNER_URL keeps that for a second role.`);
}

async function checkSchema(db: Db): Promise<Outcome> {
  const state = await schemaState(db);
  if (state === "current") return ok("Up to date.");
  return { result: state === "empty" ? "warn" : "fail", message: SCHEMA_PROBLEM[state] };
}

export async function checkDurability(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    order by name`.execute(db);
  if (rows.length === 0) return ok("Acknowledged writes are on disk.");
  const names = rows.map(({ name }) => name).join(", ");
  return fail(`Turned off: ${names}. A crash can lose acknowledged writes: turn them on.`);
}

async function checkEncoding(db: Db): Promise<Outcome> {
  const { encoding } = await describeServer(db);
  if (encoding === "UTF8") return ok("UTF8.");
  return fail(`${encoding}: move to a database with the encoding UTF8.`);
}

const MAX_CLOCK_SECONDS = 2;

async function checkClock(db: Db): Promise<Outcome> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const middle = (before + Date.now()) / 2;
  const seconds = Math.abs((rows[0]?.now.getTime() ?? 0) - middle) / 1_000;
  if (seconds <= MAX_CLOCK_SECONDS) return ok("The database's clock agrees with this computer's.");
  const message = `The database's clock differs by ${seconds.toFixed(1)} s: synchronize both with a time server.`;
  return warn(message);
}

/** The locale decides whether PostgreSQL knows capital letters outside ASCII. */
export async function checkLetters(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ known: boolean }>`select lower('É') = 'é' as known`.execute(db);
  if (rows[0]?.known) return ok("The database knows the letters of all scripts.");
  return warn(
    "Names, comments and listings in scripts such as Cyrillic or Greek are only found with the same capital letters, because the database's locale doesn't know their letters: move to a database made with `createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0`, or with another UTF-8 locale.",
  );
}

/** Published articles, and those that an older version indexed. */
export async function checkSearch(db: Db): Promise<Outcome> {
  const { search_language: language } = await settings.read(db);
  const version = searchVersion(language);
  // Two comparisons can use the index, <> can't.
  const { rows } = await sql<{ published: number; waiting: number }>`
    select
      (select count(*)::int from published_articles) as published,
      (select count(*)::int from article_search
        where search_version < ${version} or search_version > ${version}) as waiting`.execute(db);
  const { published = 0, waiting = 0 } = rows[0] ?? {};
  if (published === 0) return ok("No articles are published yet.");
  if (waiting === 0) return ok(`Published articles: ${published}, all of them indexed.`);
  return warn(
    `Published articles: ${published}, ${waiting} of them not yet indexed by this version: keep \`inkstone serve\` running, which indexes them.`,
  );
}
