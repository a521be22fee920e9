import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { extract, pack } from "tar-stream";
import { beforeAll, expect } from "vitest";
import { writeBackup } from "../src/operate/backup/backup.ts";
import {
  CHECKSUMS,
  type Checksums,
  type Manifest,
  MANIFEST,
  readFileEntry,
  readTableEntry,
  tableName,
} from "../src/operate/backup/format.ts";
import { savedTables } from "../src/operate/backup/catalogue-queries.ts";
import type { Db } from "../src/platform/db/connect.ts";
import { type LockName, LOCKS } from "../src/platform/db/locks.ts";
import { createFiles, type Files } from "../src/platform/files/files.ts";
import { commandsForAll, urlOf } from "./commands.ts";
import { ownerTo } from "./database.ts";
import { builtProgram } from "./setup.ts";
import { demoTemplate } from "./community-file.ts";
import { BASE_URL } from "./world.ts";

export const UPLOAD = `uploads/${"0".repeat(32)}.png`;
export const BYTES = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * index) % 251));

/** The demo community and two files, for all tests of a file, and short words for backups of it. */
export function siteToSave() {
  const site = commandsForAll(demoTemplate);
  let env: { DATA_DIR: string };
  let files: Files;
  let out: string;

  beforeAll(async () => {
    env = { DATA_DIR: join(site.folder, "data") };
    out = join(site.folder, "out");
    files = createFiles(join(env.DATA_DIR, "files"));
    // More than pipes hold, so that a backup that nobody reads is in the middle of its tables.
    await sql`
      insert into idempotency_keys (user_id, key, fingerprint, status, headers, body)
      select min(users.id), 'large', sha256('x'), 200, '{}', (
        select string_agg(md5(number::text), '') from generate_series(1, 30000) as number
      ) from users`.execute(site.database.superuser);
    await files.put(UPLOAD, BYTES);
    await files.put("cards/07-7.png", Buffer.from("a card"));
    await createFiles(out).put("uploads/aa.png", Buffer.from("makes the folder"));
  });

  const backup = (...args: string[]) => site.inkstone(["backup", ...args], { env });
  const newFile = (() => {
    let number = 0;
    return () => join(out, `backup-${number++}.tar`);
  })();
  const namesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.includes(".tar"));

  /** Leaves no trace of a backup that failed. */
  async function expectFailure(ran: ReturnType<typeof backup>, sentence: RegExp): Promise<void> {
    const before = await namesIn(out);
    const { code, out: printed, err } = await ran;
    expect(err).toMatch(sentence);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect([code, printed]).toEqual([1, ""]);
    expect(await namesIn(out)).toEqual(before);
  }

  /** `backup -`, whose output nobody reads yet. */
  function startStream() {
    const child = spawn(process.execPath, [builtProgram(), "backup", "-"], {
      cwd: site.folder,
      env: { DATABASE_URL: urlOf(site.database.name), ...env },
    });
    const ended = once(child, "close");
    return { child, ended, err: text(child.stderr) };
  }

  const isHeld = async (name: LockName) => {
    const { rows } = await sql<{ held: boolean }>`
      select exists (
        select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where objid = ${LOCKS[name]} and locktype = 'advisory' and granted and datname = current_database()
      ) as held`.execute(site.database.db);
    return rows[0]?.held === true;
  };

  return {
    site,
    get env() {
      return env;
    },
    get files() {
      return files;
    },
    /** Where backups go. */
    get out() {
      return out;
    },
    backup,
    newFile,
    namesIn,
    expectFailure,
    startStream,
    isHeld,
  };
}

export interface TarEntry {
  name: string;
  content: Buffer;
  type?: "symlink";
}

export async function unpack(tar: Buffer): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  for await (const entry of Readable.from([tar]).pipe(extract()))
    entries.push({ name: entry.header.name, content: await buffer(entry) });
  return entries;
}

/** As the last entry of a backup has it. */
function sumOf({ name, content }: TarEntry): Checksums["entries"][number] {
  return { name, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

interface OpenedBackup {
  manifest: Manifest;
  checksums: Checksums;
  /** In the order of the file. */
  names: string[];
  /** The lines of each table, as `COPY` wrote them. */
  tables: Map<string, string[]>;
  files: Map<string, Buffer>;
}

/**
 * Reads a backup as any program could, and compares its checksums.
 * @throws for a file without its last entry, and for a wrong checksum
 */
export async function openBackup(bytes: Buffer): Promise<OpenedBackup> {
  const entries = await unpack(bytes);
  const last = entries.at(-1);
  if (last?.name !== CHECKSUMS) throw new Error("It has no last entry.");
  const checksums = toJson(last) as Checksums;
  const found = entries.slice(0, -1).map(sumOf);
  if (JSON.stringify(found) !== JSON.stringify(checksums.entries)) throw new Error("A checksum is wrong.");
  const parts = new Map<string, Buffer[]>();
  const files = new Map<string, Buffer>();
  for (const { name, content } of entries) {
    const table = readTableEntry(name)?.table;
    if (table !== undefined) parts.set(table, [...(parts.get(table) ?? []), gunzipSync(content)]);
    const file = readFileEntry(name);
    if (file !== undefined) files.set(file, content);
  }
  const lines = (all: Buffer[]) => Buffer.concat(all).toString().split("\n").slice(0, -1);
  return {
    manifest: toJson(entries[0]) as Manifest,
    checksums,
    names: entries.map(({ name }) => name),
    tables: new Map([...parts].map(([table, all]) => [table, lines(all)])),
    files,
  };
}

function toJson(entry: TarEntry | undefined): unknown {
  return JSON.parse(String(entry?.content));
}

interface Saved {
  name: string;
  db: Db;
  files?: Files | undefined;
}

/** A backup of a database of the test server. */
export async function backupOf({ name, db, files }: Saved): Promise<Buffer> {
  const sink = new PassThrough();
  const bytes = buffer(sink);
  const { signal } = new AbortController();
  const of = {
    db,
    connection: ownerTo(name),
    files,
    baseUrl: BASE_URL,
    parallel: 2,
    now: new Date(),
    signal,
  };
  await writeBackup(of, sink);
  sink.end();
  return bytes;
}

/** The number of rows of each saved table, and a digest of what is saved of them. */
export async function rowsOf(db: Db): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of await savedTables(db)) {
    const columns = sql.join(table.columns.map((column) => sql.ref(column)));
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || md5(coalesce(string_agg(line, E'\n' order by line collate "C"), '')) as digest
      from (select row(${columns})::text as line from ${sql.table(tableName(table))}) as rows`.execute(db);
    digests[tableName(table)] = rows[0]?.digest ?? "";
  }
  return digests;
}

export async function packed(entries: TarEntry[]): Promise<Buffer> {
  const tar = pack();
  const written = buffer(tar);
  for (const { name, content, type = "file" as const } of entries) {
    const size = type === "file" ? content.length : 0;
    tar.entry({ name, type, size }, content.subarray(0, size));
  }
  tar.finalize();
  return written;
}

/** Changes the entries of a backup, and gives it the checksums of the changed ones. */
export async function changed(
  tar: Buffer,
  change: { manifest?: (manifest: Manifest) => unknown; entries?: (entries: TarEntry[]) => TarEntry[] },
): Promise<Buffer> {
  const entries = await unpack(tar);
  const last = entries.pop();
  const [first, ...others] = entries;
  const { rows } = toJson(last) as Checksums;
  const manifest = toJson(first) as Manifest;
  const json = Buffer.from(JSON.stringify(change.manifest?.(manifest) ?? manifest));
  const all = (change.entries ?? ((same) => same))([{ name: MANIFEST, content: json }, ...others]);
  const sums = { entries: all.map(sumOf), rows };
  return packed([...all, { name: CHECKSUMS, content: Buffer.from(JSON.stringify(sums)) }]);
}
