import { open } from "node:fs/promises";
import type { Readable } from "node:stream";

const CHUNK_BYTES = 256 * 1024;

export interface Source {
  source: Readable;
  /** Undefined for a stream. */
  size: number | undefined;
}

/** Opens a file, or standard input for `-`, so that an unreadable one is refused before anything starts. */
export async function openSource(file: string): Promise<Source> {
  if (file === "-") return { source: process.stdin, size: undefined };
  const handle = await open(file);
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw Object.assign(new Error(), { code: "EISDIR", syscall: "read", path: file });
  }
  const source = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
  return { source, size: stat.isFile() ? stat.size : undefined };
}
