import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import {
  CHECKSUMS,
  type Checksums,
  type Manifest,
  readFileEntry,
  readTableEntry,
} from "../src/backup/format.ts";

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
export function sumOf({ name, content }: TarEntry): Checksums["entries"][number] {
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

export function toJson(entry: TarEntry | undefined): unknown {
  return JSON.parse(String(entry?.content));
}
