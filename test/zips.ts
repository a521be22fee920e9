import { writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { bytesOf, type Line } from "./community-file.ts";

interface Entry {
  content: string | Buffer;
  /** Unix permissions and the kind of file. */
  mode?: number;
  compress?: boolean;
}

export type Entries = Record<string, string | Buffer | Entry>;

/** The bytes of a zip archive. */
export async function zipOf(entries: Entries): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, entry] of Object.entries(entries)) {
    const { content, ...options } =
      typeof entry === "string" || Buffer.isBuffer(entry) ? { content: entry } : entry;
    zip.addBuffer(Buffer.from(content), name, options);
  }
  zip.end();
  return buffer(zip.outputStream as Readable);
}

export async function writeZip(path: string, entries: Entries): Promise<string> {
  await writeFile(path, await zipOf(entries));
  return path;
}

/** The archive of a person, with these records. */
export const personsArchive = (lines: Line[], more: Entries = {}): Entries => ({
  "community.ndjson": bytesOf(lines),
  ...more,
});

/** Puts another text of the same length in the place of each occurrence. Writers of archives refuse bad names. */
export function patched(bytes: Buffer, from: string | Buffer, to: string | Buffer): Buffer {
  const [old, next] = [Buffer.from(from), Buffer.from(to)];
  if (old.length !== next.length)
    throw new Error(`${String(from)} and ${String(to)} have different lengths.`);
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old, at + 1)) next.copy(copy, at);
  return copy;
}

/** Changes each header of the central directory. */
export function withHeaders(bytes: Buffer, change: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf("PK\x01\x02"); at >= 0; at = copy.indexOf("PK\x01\x02", at + 1)) {
    change(copy.subarray(at));
  }
  return copy;
}
