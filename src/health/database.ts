import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { searchVersion } from "../search-index/vector.ts";
import * as settings from "../settings/settings.ts";
import { fail, type Outcome, ok, warn } from "./finding.ts";

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

export async function checkDurability(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    order by name`.execute(db);
  if (rows.length === 0) return ok("Acknowledged writes are on disk.");
  const names = rows.map(({ name }) => name).join(", ");
  return fail(`Turned off: ${names}. A crash can lose acknowledged writes: turn them on.`);
}

const MAX_CLOCK_SECONDS = 2;

export async function checkClock(db: Db): Promise<Outcome> {
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
      (select count(*)::int from search_rows
        where search_version < ${version} or search_version > ${version}) as waiting`.execute(db);
  const { published = 0, waiting = 0 } = rows[0] ?? {};
  if (published === 0) return ok("No articles are published yet.");
  if (waiting === 0) return ok(`Published articles: ${published}, all of them indexed.`);
  return warn(
    `Published articles: ${published}, ${waiting} of them not yet indexed by this version: keep \`inkstone serve\` running, which indexes them.`,
  );
}
