import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { PoolConfig } from "pg";
import { FOLDER as CARDS } from "../../community/cards/cards.ts";
import { asTyped, VERSION } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { type Snapshot, withSnapshot } from "../../platform/db/copying.ts";
import { ifUnlocked, lock } from "../../platform/db/locks.ts";
import { appliedMigrations } from "../../platform/db/migrate.ts";
import { describeServer } from "../../platform/db/prepare-database.ts";
import { invalid } from "../../platform/errors.ts";
import { contentOf, type Files } from "../../platform/files/files.ts";
import { count } from "../../platform/text/sentences.ts";
import * as uploads from "../../community/uploads/files.ts";
import { type Archive, createArchive } from "./tar.ts";
import * as queries from "./catalogue-queries.ts";
import { savedSequences, savedTables } from "./catalogue-queries.ts";
import type { Checksums, Manifest, TableOfBackup } from "./format.ts";
import { CHECKSUMS, fileEntry, FORMAT, MANIFEST, tableEntry, tableName } from "./format.ts";

export interface BackupOf {
  /** Its pool has a connection to spare. */
  db: Db;
  connection: PoolConfig;
  files: Files | undefined;
  baseUrl: string;
  /** How many parts of tables are compressed at once, each by a thread. */
  parallel: number;
  now: Date;
  signal: AbortSignal;
  onProgress?: (done: Tally) => void;
}

export interface Tally {
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  /** Images that rows name and the file store lacks. */
  missing: number;
}

/** Writes all rows and files of one moment to a sink, which stays open. @throws AppError invalid */
export async function writeBackup(of: BackupOf, sink: Writable): Promise<Tally> {
  const done = await ifUnlocked(of.db, "backup", async (holder) => {
    // Files of the snapshot are not removed from here on.
    await lock(holder, "besideBackup");
    const archive = createArchive(sink, of);
    try {
      return await Promise.race([fill(archive, of, holder), untilAborted(of.signal)]);
    } catch (error) {
      await archive.giveUp();
      throw error;
    }
  });
  if (done === undefined) throw invalid("Another backup of this site is running: wait until it ends.");
  return done.result;
}

/** Also while it waits for a lock, or for a store that doesn't answer. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
}

async function fill(archive: Archive, of: BackupOf, holder: Db): Promise<Tally> {
  const done: Tally = { bytes: 0, tables: 0, rows: 0, files: 0, missing: 0 };
  const { rows, wanted } = await withSnapshot(of.connection, await savedTables(of.db), async (snapshot) => ({
    rows: await addDatabase(archive, snapshot, { of, done }),
    wanted: of.files === undefined ? new Set<string>() : await uploads.owned(snapshot.db),
  }));
  if (of.files !== undefined) await addFiles(archive, of.files, { of, done, wanted });
  // Its end would have let files be removed.
  await queries.ask(holder);
  const checksums: Checksums = { entries: archive.entries, rows, missing: done.missing };
  await archive.add(CHECKSUMS, toBytes(checksums));
  done.bytes = await archive.finish();
  return done;
}

const toBytes = (value: Manifest | Checksums) => Buffer.from(JSON.stringify(value));

interface Progress {
  of: BackupOf;
  done: Tally;
}

async function addDatabase(archive: Archive, snapshot: Snapshot, { of, done }: Progress) {
  const manifest = await describe(snapshot.db, of);
  await archive.add(MANIFEST, toBytes(manifest));
  const rows: Checksums["rows"] = {};
  for (const table of manifest.tables) {
    const count = await addTable(archive, { snapshot, parallel: of.parallel }, table);
    rows[tableName(table)] = count;
    done.tables += 1;
    done.rows += count;
    of.onProgress?.(done);
  }
  return rows;
}

async function describe(db: Db, { baseUrl, files, now }: BackupOf): Promise<Manifest> {
  const { version } = await describeServer(db);
  const migrations = await appliedMigrations(db);
  return {
    format: FORMAT,
    program: VERSION,
    postgresql: version,
    takenAt: now.toISOString(),
    baseUrl,
    migrations: migrations.map(({ kind, ...each }) => ({ ...each, kind: kind ?? "expand" })),
    queueMigration: await queries.queueMigration(db),
    tables: await savedTables(db),
    sequences: await savedSequences(db),
    hasFiles: files !== undefined,
  };
}

/** Reads this many files at once, each of some megabytes at most. */
const AHEAD = 4;

/** Social cards are drawn again when they are wanted. */
async function addFiles(
  archive: Archive,
  files: Files,
  { of, done, wanted }: Progress & { wanted: Set<string> },
): Promise<void> {
  const read = async ({ name }: { name: string }) => {
    return { name, bytes: name.startsWith(`${CARDS}/`) ? undefined : await contentOf(files, name) };
  };
  for await (const { name, bytes } of inTurn(files.list(), AHEAD, read)) {
    // A card, or a file without a row that was removed by its own request.
    if (bytes === undefined) continue;
    await archive.add(fileEntry(name), bytes);
    wanted.delete(name);
    done.files += 1;
    of.onProgress?.(done);
  }
  done.missing = wanted.size;
}

/** The sentence for a backup that lacks images; without one it would look whole. */
export const lacking = (missing: number, place: string): string =>
  asTyped(
    `The backup lacks ${count(missing, "file")} of images that ${place} doesn't have: \`inkstone doctor --verify\` names them.`,
  );

const PART_BYTES = 2 * 1024 * 1024;

/** Other levels take several times as long for a little less. */
const compress = promisify(gzip);
const SPEED = { level: 1, chunkSize: 1024 * 1024 };

async function addTable(
  archive: Archive,
  { snapshot, parallel }: { snapshot: Snapshot; parallel: number },
  table: TableOfBackup,
): Promise<number> {
  let parts = 0;
  const read = blocks(snapshot.copy(table), parallel + 1);
  for await (const bytes of inTurn(read, parallel + 1, (block) => compress(block, SPEED)))
    await archive.add(tableEntry(tableName(table), ++parts), bytes);
  return snapshot.countCopied();
}

/** Works on so many items at once, and gives the results in the order of the items. */
async function* inTurn<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Thrown when its turn comes.
    result.catch(() => undefined);
    running.push(result);
    if (running.length === atOnce) yield running.shift() as Promise<Result>;
  }
  yield* running;
}

/** Blocks of one size but for the last, which may be empty. A block is valid until so many more are taken. */
async function* blocks(chunks: AsyncIterable<Buffer>, validFor: number): AsyncGenerator<Buffer> {
  const ring: Buffer[] = Array.from({ length: validFor }, () => Buffer.allocUnsafe(PART_BYTES));
  let [current = Buffer.alloc(0)] = ring;
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length;) {
      const bytes = chunk.copy(current, filled, taken);
      filled += bytes;
      taken += bytes;
      if (filled < PART_BYTES) continue;
      yield current;
      ring.push(...ring.splice(0, 1));
      [current = current] = ring;
      filled = 0;
    }
  }
  yield current.subarray(0, filled);
}
