import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import {
  CHECKSUMS,
  type Checksums,
  MANIFEST,
  type Manifest,
  readFileEntry,
  readTableEntry,
} from "../src/backup/format.ts";

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
  const entries = new Map<string, Buffer>();
  const tar = extract();
  Readable.from([bytes]).pipe(tar);
  for await (const entry of tar) entries.set(entry.header.name, await buffer(entry));
  const names = [...entries.keys()];
  if (names.at(-1) !== CHECKSUMS) throw new Error("It has no last entry.");
  const checksums = toJson(entries, CHECKSUMS) as Checksums;
  const found = names.slice(0, -1).map((name) => ({
    name,
    bytes: entries.get(name)?.length,
    sha256: createHash("sha256")
      .update(entries.get(name) as Buffer)
      .digest("hex"),
  }));
  if (JSON.stringify(found) !== JSON.stringify(checksums.entries)) throw new Error("A checksum is wrong.");
  const parts = new Map<string, Buffer[]>();
  const files = new Map<string, Buffer>();
  for (const [name, content] of entries) {
    const table = readTableEntry(name)?.table;
    if (table !== undefined) parts.set(table, [...(parts.get(table) ?? []), gunzipSync(content)]);
    const file = readFileEntry(name);
    if (file !== undefined) files.set(file, content);
  }
  const lines = (all: Buffer[]) => Buffer.concat(all).toString().split("\n").slice(0, -1);
  return {
    manifest: toJson(entries, MANIFEST) as Manifest,
    checksums,
    names,
    tables: new Map([...parts].map(([table, all]) => [table, lines(all)])),
    files,
  };
}

function toJson(entries: Map<string, Buffer>, name: string): unknown {
  return JSON.parse(String(entries.get(name)));
}
