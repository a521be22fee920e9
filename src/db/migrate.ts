import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import { sql } from "kysely";
import { AppError } from "../errors.ts";
import { locate } from "../layout.ts";
import type { Connection, Db } from "./connect.ts";
import { failureCode, LOCK_NOT_AVAILABLE } from "./failures.ts";
import { whileLocked } from "./locks.ts";
import { grantRights } from "./rights.ts";

const FOLDER = locate("db/migrations/");

type Migration = Awaited<ReturnType<typeof knownMigrations>>[number];

export type SchemaState = "empty" | "current" | "older" | "newer" | "altered" | "closed";

export async function schemaState(db: Db): Promise<SchemaState> {
  const isReadable = await canReadMigrations(db);
  if (isReadable === null) return "empty";
  if (!isReadable) return "closed";
  const applied = await appliedMigrations(db);
  const known = await knownMigrations();
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]));
  if (applied.some(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)) return "altered";
  if (applied.some(({ name }) => !checksums.has(name))) return "newer";
  return applied.length < known.length ? "older" : "current";
}

export const SCHEMA_PROBLEM: Record<Exclude<SchemaState, "current">, string> = {
  empty: "The database is empty: run `inkstone migrate` first.",
  older: "The database's schema is older than this program: run `inkstone migrate` first.",
  newer:
    "The database's schema is newer than this program: start the version of Inkstone that migrated it, or a later one.",
  altered:
    "Other migrations than this program's created this database: run `inkstone export FILE --with-secrets` with the version of Inkstone that created it, then `inkstone import FILE` with this one on an empty database.",
  closed:
    "The database user may not use the tables: run `inkstone migrate` with DATABASE_OWNER_URL, or name the tables' owner in DATABASE_URL.",
};

/**
 * Runs each pending file once, in order, in its own transaction, and returns their names. A second process waits at
 * the lock and finds nothing to do.
 * @param programRole the role that serves, if it isn't the owner
 */
export async function migrate({ db, pool }: Connection, programRole?: string): Promise<string[]> {
  return whileLocked(db, "migration", async (session) => {
    const pending = await findPending(session);
    // The queue comes first and the rights with the last file, so that a schema is whole when its files have run.
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
    for (const migration of pending)
      await run(session, migration, migration === pending.at(-1) ? programRole : undefined);
    if (pending.length === 0 && programRole !== undefined)
      await session.transaction().execute((tx) => grantRights(tx, programRole));
    return pending.map(({ name }) => name);
  });
}

async function findPending(session: Db): Promise<Migration[]> {
  const state = await schemaState(session);
  if (state === "newer" || state === "altered" || state === "closed")
    throw new AppError("invalid", SCHEMA_PROBLEM[state]);
  // Even "if not exists" needs the right to create.
  if (state === "empty") {
    await sql`create table schema_migrations (
      name text primary key, checksum text not null, ran_at timestamptz(3) not null default now()
    )`.execute(session);
  }
  const applied = new Set((await appliedMigrations(session)).map(({ name }) => name));
  return (await knownMigrations()).filter(({ name }) => !applied.has(name));
}

const ATTEMPTS = 10;

/** Gives up a lock after two seconds and retries, so that queries don't queue behind the migration. */
async function run(
  session: Db,
  { name, checksum, statements }: Migration,
  programRole: string | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await session.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = '2s'`.execute(tx);
        await sql.raw(statements).execute(tx);
        await tx.insertInto("schema_migrations").values({ name, checksum }).execute();
        if (programRole !== undefined) await grantRights(tx, programRole);
      });
    } catch (error) {
      if (failureCode(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await sleep(500 * attempt);
    }
  }
}

async function knownMigrations() {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).toSorted();
  return Promise.all(
    files.map(async (name) => {
      const statements = await readFile(new URL(name, FOLDER), "utf8");
      return { name, statements, checksum: createHash("sha256").update(statements).digest("hex") };
    }),
  );
}

/** Null in a database that never was Inkstone's. */
async function canReadMigrations(db: Db): Promise<boolean | null> {
  const { rows } = await sql<{ answer: boolean | null }>`
    select has_table_privilege(to_regclass('schema_migrations'), 'select') as answer`.execute(db);
  return rows[0]?.answer ?? null;
}

function appliedMigrations(db: Db): Promise<{ name: string; checksum: string }[]> {
  return db.selectFrom("schema_migrations").select(["name", "checksum"]).orderBy("name").execute();
}
