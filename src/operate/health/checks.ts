import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Config } from "../../platform/config.ts";
import { connect, type Db } from "../../platform/db/connect.ts";
import { reasonOf } from "../../platform/db/failures.ts";
import { isStandbyOf, type Look, lookAt } from "../../platform/db/replica.ts";
import { pathOf } from "../../platform/files/files.ts";
import { openFiles, placeOf } from "../../platform/files/open.ts";
import * as outbound from "../../platform/jobs/outbound.ts";
import { summary } from "../../mail/queue.ts";
import { searchVersion } from "../../search/index/vector.ts";
import * as settings from "../../platform/settings/settings.ts";
import { timestamp } from "../../platform/text/dates.ts";
import { count } from "../../platform/text/sentences.ts";
import * as uploads from "../../community/uploads/files.ts";
import { withUnknownHash } from "../../community/users/sign-in.ts";
import { fail, ok, type Outcome, warn } from "./finding.ts";
import * as demoKeys from "../demo/key.ts";

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

const NAMED = 10;

export async function checkFiles(db: Db, config: Pick<Config, "dataDir" | "s3">): Promise<Outcome> {
  const place = placeOf(config);
  const files = await openFiles(config);
  const missing = await uploads.missing(db, files);
  if (missing.length > 0) {
    const what = `${count(missing.length, "file")} of images ${missing.length === 1 ? "is" : "are"} not in ${place}`;
    const shown = config.s3 ? missing : missing.map((each) => relative(place, pathOf(place, each)));
    return fail(`${what} (${name(shown)}): restore them from a backup.`);
  }
  const unowned = await uploads.unowned(db, files, new Date());
  if (unowned.names.length === 0) return ok("Every image has its file.");
  const what = `${count(unowned.names.length, "file")} in ${place} that nothing uses`;
  const remedy = uploads.isForeign(unowned)
    ? `too many to belong to this database, so they stay: correct ${config.s3 ? "S3_BUCKET" : "DATA_DIR"} or DATABASE_URL, or remove them by hand.`
    : "a server removes them at night.";
  return warn(
    `There ${unowned.names.length === 1 ? "is" : "are"} ${what} (${name(unowned.names)}): ${remedy}`,
  );
}

function name(names: string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

export async function checkMail(db: Db, { mail }: Pick<Config, "mail">): Promise<Outcome> {
  if (mail === undefined)
    return ok("MAIL_URL isn't set: no emails are sent, and notices to users are notifications.");
  const { pending, postponed, failed, sent_at, failed_at, reply } = await summary(db);
  const last = sent_at === null ? "none was sent in 30 days" : `the last was sent ${timestamp(sent_at)}`;
  const state = `Emails go through ${mail.host}:${mail.port} as ${mail.from.address}; ${last}, and ${pending} wait`;
  const failures = `${count(failed, "email")} failed in 30 days, and ${postponed} will be tried again`;
  const isWell = failed_at === null || (sent_at !== null && sent_at > failed_at);
  if (isWell && postponed === 0) return ok(failed === 0 ? `${state}.` : `${state}. ${failures}.`);
  return warn(
    `${state}. ${failures}; the last with the reply "${reply}": correct what it says, retry it at /admin, and try \`inkstone mail test\`.`,
  );
}

export async function checkOutbound(db: Db): Promise<Outcome> {
  const since = await outbound.heldSince(db);
  if (since === undefined) return ok("Webhook deliveries, emails and fetches leave the site.");
  return warn(
    `Webhook deliveries, emails and fetches are held since the site was restored, ${timestamp(since)}: when it takes the place of the one that was saved, run \`inkstone outbound resume\`.`,
  );
}

/** Passwords that other programs hashed in their own way can't be checked here. */
export async function checkPasswords(db: Db): Promise<Outcome> {
  const names = await withUnknownHash(db);
  if (names.length === 0) return ok("Each stored hash is of a kind that a password can match.");
  const shown = names.slice(0, 5).join(", ");
  const others = names.length > 5 ? ` and ${names.length - 5} others` : "";
  return warn(
    `The hashes of ${shown}${others} are of an unknown kind, so their passwords can't be used: \`inkstone user sign-in-link ${names[0]}\` lets one in, who then chooses a new password.`,
  );
}

const PATIENCE_MS = 2_000;
const PAUSE_MS = 20;

async function lookUntilReplayed(db: Db, wanted: Look): Promise<Look> {
  for (;;) {
    const own = await lookAt(db);
    const isLate = own.at - wanted.at >= PATIENCE_MS;
    if (own.position >= wanted.position || !isStandbyOf(own, wanted) || isLate) return own;
    await sleep(PAUSE_MS);
  }
}

/** Measures how long a replica takes to replay what the primary has written. */
export async function checkReplica(primary: Db, url: string): Promise<Outcome> {
  const { db } = connect({ connection: { connectionString: url }, poolSize: 1, patienceMs: PATIENCE_MS });
  try {
    const wanted = await lookAt(primary);
    const own = await lookUntilReplayed(db, wanted);
    if (!isStandbyOf(own, wanted))
      return fail("It is no standby of the database that DATABASE_URL names: correct DATABASE_REPLICA_URLS.");
    const { rows } = await sql<{ feedback: string }>`
      select current_setting('hot_standby_feedback') as feedback`.execute(db);
    const feedback = `hot_standby_feedback is ${rows[0]?.feedback}`;
    if (own.position >= wanted.position)
      return ok(`At most ${Math.ceil(own.at - wanted.at)} ms behind; ${feedback}.`);
    return warn(
      `More than ${PATIENCE_MS / 1_000} s behind; ${feedback}. The primary answers until it has caught up.`,
    );
  } catch (error) {
    return warn(`It can't be reached (${reasonOf(error)}): start it, or correct DATABASE_REPLICA_URLS.`);
  } finally {
    await db.destroy();
  }
}

/** Checks for the demo: readers of a real site would take its users and articles for real. */
export async function checkDemo(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ users: number; articles: number }>`
    select
      count(*) filter (where kind = 'user')::int as users,
      (select count(*)::int from articles join demo_rows on kind = 'user' and row_id = author_id) as articles
    from demo_rows`.execute(db);
  const { users = 0, articles = 0 } = rows[0] ?? {};
  if (users === 0) return ok("None of its users and articles are here.");
  const isOpen = (await demoKeys.ownersOf(db)).length > 0;
  const key = isOpen ? ", and its admin's printed API key is valid" : "";
  return warn(
    `${count(users, "user")} and ${count(articles, "article")} of the demo are here${key}: on a real site, run \`inkstone demo --remove\`.`,
  );
}

/** An operator makes an admin by `user create` or `user role`; the demo and imports bring others. */
export async function checkAdmins(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ username: string; origin: string; isDemo: boolean }>`
    select username, origin, row_id is not null as "isDemo"
    from users left join demo_rows on demo_rows.kind = 'user' and row_id = users.id
    where role = 'admin' and not suspended order by users.id`.execute(db);
  if (rows.length === 0) return ok("There are none yet: open the link that `inkstone setup-link` prints.");
  const brought = rows.filter(({ origin }) => origin === "import");
  if (brought.length === 0)
    return ok(`Made by the operator: ${rows.map(({ username }) => username).join(", ")}.`);
  const names = brought.map(({ username, isDemo }) => `${username} (${isDemo ? "the demo" : "an import"})`);
  const first = brought[0]?.username;
  return warn(
    `Not made by the operator, but brought in: ${names.join(", ")}. Confirm each with \`inkstone user role ${first} admin\`, or take the role away with \`inkstone user role ${first} member\`.`,
  );
}
