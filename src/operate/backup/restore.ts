import { addAbortSignal } from "node:stream";
import type pg from "pg";
import { VERSION } from "../../platform/config.ts";
import type { Connection, Db } from "../../platform/db/connect.ts";
import { inCopyingTransaction } from "../../platform/db/copying.ts";
import { failureCode, reasonOf } from "../../platform/db/failures.ts";
import { isProgramConnected, whileLocked } from "../../platform/db/locks.ts";
import * as schema from "../../platform/db/migrate.ts";
import { type Migration, ownMigrations } from "../../platform/db/migrations.ts";
import { invalid } from "../../platform/errors.ts";
import type { Files } from "../../platform/files/files.ts";
import { outdateLinks } from "../../platform/jobs/rerender.ts";
import * as outbound from "../../platform/jobs/outbound.ts";
import { count, joinSentences } from "../../platform/text/sentences.ts";
import { EXEMPT_TABLES, queueMigration, savedSequences, savedTables } from "./catalogue-queries.ts";
import { FileWriter } from "./file-writer.ts";
import * as queries from "./filling-queries.ts";
import { tableName } from "./format.ts";
import { type Contents, type OpenBackup, skip } from "./read.ts";

export interface RestoreOptions {
  owner: Connection;
  programRole: string | undefined;
  files: Files;
  baseUrl: string;
  now: Date;
  pids: readonly number[];
  onProgress: (step: string) => void;
  /** Aborts it, until the transaction commits. */
  signal: AbortSignal;
}

export interface Restored extends Contents {
  /** Migrations that ran after the rows were there, because the backup is older than they are. */
  migrated: string[];
  leftOut: string[];
  rendered: number;
}

/** Fills an empty site in one transaction; a failure leaves nothing behind. @throws AppError invalid */
export async function restore(backup: OpenBackup, options: RestoreOptions): Promise<Restored> {
  const { db, pool } = options.owner;
  const migrations = await migrationsOf(backup);
  const writer = new FileWriter(options.files);
  addAbortSignal(options.signal, backup.source);
  return whileLocked(db, "migration", async () => {
    await requireEmpty(db, options.pids);
    const hadQueue = await queries.hasQueue(db);
    let isComplete = false;
    try {
      await schema.migrateQueue(pool);
      await requireQueue(db, backup);
      return await inCopyingTransaction(
        options.owner.connection,
        { isSnapshot: false },
        async (tx, client) => {
          const restored = await fill(backup, { ...options, tx, client, writer, migrations });
          options.signal.throwIfAborted();
          isComplete = true;
          return restored;
        },
      );
    } catch (error) {
      // The answer to a commit may have been lost.
      if (isComplete && (await isFilled(db))) throw error;
      await writer.undo();
      if (!hadQueue) await queries.dropQueue(db).catch(() => undefined);
      throw error;
    }
  });
}

/** @throws AppError invalid for a backup of a newer program, or of another one */
export async function migrationsOf({ manifest, label }: OpenBackup): Promise<Migration[]> {
  const own = new Map((await ownMigrations()).map((migration) => [migration.name, migration]));
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = own.get(name);
    if (migration === undefined) throw newer(label, manifest.program);
    if (migration.checksum === checksum) return migration;
    throw invalid(
      `${label} is of a database that another ${name} than this program's created: restore it with the version of Inkstone that wrote it, ${manifest.program}.`,
    );
  });
}

const newer = (label: string, program: string) =>
  invalid(
    `${label} was written by Inkstone ${program}, which is newer than this program (${VERSION}): install ${program} or a later version.`,
  );

async function requireQueue(db: Db, { manifest, label }: OpenBackup): Promise<void> {
  if (manifest.queueMigration > (await queueMigration(db))) throw newer(label, manifest.program);
}

async function requireEmpty(db: Db, pids: readonly number[] = []): Promise<void> {
  if (await isProgramConnected(db)) {
    const known = pids.length > 0 ? ` (pid ${pids.join(", ")})` : "";
    throw invalid(`A server runs on this database${known}: stop it first.`);
  }
  const state = await schema.schemaState(db);
  if (state === "newer" || state === "altered" || state === "closed")
    throw invalid(schema.SCHEMA_PROBLEM[state]);
  if (state === "empty") {
    const tables = await queries.foreignTables(db);
    if (tables.length === 0) return;
    const some = joinSentences(tables.slice(0, 3));
    throw invalid(`The database has ${count(tables.length, "table")} already, such as ${some}: ${ELSEWHERE}`);
  }
  const { people, articles } = await queries.countContent(db);
  if (people === 0 && articles === 0) return;
  throw invalid(
    `The site has ${count(people, "user")} and ${count(articles, "article")} already: ${ELSEWHERE}`,
  );
}

const isFilled = (db: Db) =>
  requireEmpty(db).then(
    () => false,
    () => true,
  );

const ELSEWHERE = "restore into an empty one, by another DATA_DIR or DATABASE_URL.";

interface Filling extends RestoreOptions {
  tx: Db;
  client: pg.ClientBase;
  writer: FileWriter;
  migrations: Migration[];
}

async function fill(backup: OpenBackup, filling: Filling): Promise<Restored> {
  const { tx, client, writer, migrations, onProgress, signal } = filling;
  const { manifest } = backup;
  await queries.prepareSession(tx);
  await schema.remake(tx, migrations);
  const { targets, added, leftOut } = await findTargets(tx, backup);
  const own = [...targets.values()].filter(({ isOwn }) => isOwn).map(({ table }) => table);
  const statements = await queries.strip(tx, own);
  await queries.addColumns(tx, added);
  const contents = await backup.read({
    async table(table, lines) {
      const name = tableName(table);
      const target = leftOut.includes(name) ? undefined : targets.get(name);
      onProgress(`Restoring ${name}`);
      if (target) await queries.copyRows(client, { target, table, lines }).catch(unreadable(backup, name));
      else await skip(lines);
    },
    async file(name, bytes) {
      onProgress("Restoring files");
      await writer.write(name, bytes);
    },
  });
  await writer.end();
  await queries.dropColumns(tx, added);
  const sequences = new Set((await savedSequences(tx)).map(tableName));
  await queries.setSequences(
    tx,
    manifest.sequences.filter((sequence) => sequences.has(tableName(sequence))),
  );
  for (const { name, text } of statements) {
    signal.throwIfAborted();
    onProgress(`Building ${name}`);
    await queries.runStatement(tx, text).catch(unreadable(backup, name));
  }
  await queries.enableTriggers(tx, own);
  return { ...contents, leftOut, ...(await finish(backup, { ...filling, own })) };
}

async function finish({ manifest }: OpenBackup, filling: Filling & { own: string[] }) {
  const { tx, migrations, own, programRole, baseUrl, now, onProgress } = filling;
  const later = (await ownMigrations()).filter((migration) => !migrations.includes(migration));
  onProgress("Updating the schema");
  await schema.runAtOnce(tx, later);
  if (programRole !== undefined) await schema.grantRights(tx, programRole);
  const isElsewhere = manifest.baseUrl !== baseUrl;
  const rendered = isElsewhere ? await outdateLinks(tx, [manifest.baseUrl, baseUrl]) : 0;
  await outbound.hold(tx, now);
  onProgress("Counting rows for the planner");
  // Later migrations may have dropped some.
  const present = new Set((await savedTables(tx)).map(tableName));
  await queries.analyze(
    tx,
    own.filter((table) => present.has(table)),
  );
  return { migrated: later.map(({ name }) => name), rendered };
}

/** Tables to fill or to empty, and what the backup has that no migration of Inkstone makes. */
async function findTargets(tx: Db, { manifest }: OpenBackup) {
  const columns = new Map((await savedTables(tx)).map((table) => [tableName(table), table.columns]));
  const emptied = Object.keys(EXEMPT_TABLES).filter((table) => !table.endsWith("migrations"));
  const found = await queries.targets(tx, [...columns.keys(), ...emptied]);
  const foreign = manifest.tables.filter((table) => !columns.has(tableName(table)));
  const added = manifest.tables.flatMap((table) =>
    table.columns
      .filter((column) => columns.get(tableName(table))?.includes(column) === false)
      .map((column) => ({ table: tableName(table), column })),
  );
  return {
    targets: new Map(found.map((target) => [target.table, target])),
    added,
    leftOut: [...foreign.map(tableName), ...added.map(({ table, column }) => `${table}.${column}`)],
  };
}

function unreadable({ label }: OpenBackup, place: string) {
  return (error: unknown): never => {
    if (!/^2[23]/.test(failureCode(error))) throw error;
    throw invalid(`${label} is damaged: PostgreSQL refuses ${place} (${reasonOf(error)}).`);
  };
}
