import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import { sql } from "kysely";
import { writeBackup } from "../src/backup/backup.ts";
import { type Checksums, CHECKSUMS, type Manifest, MANIFEST, tableName } from "../src/backup/format.ts";
import { savedTables } from "../src/backup/tables.ts";
import type { Db } from "../src/db/connect.ts";
import type { Files } from "../src/files/files.ts";
import { sumOf, type TarEntry, toJson, unpack } from "./backup-file.ts";
import { ownerTo } from "./database.ts";
import { BASE_URL } from "./world.ts";

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
