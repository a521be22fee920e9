import { createHash } from "node:crypto";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import type { Checksums } from "./format.ts";

/** Hashes are in it. */
const OWNER_ONLY = 0o600;

/** The unit of a tar: one block precedes the content of an entry, and two end the tar. */
const BLOCK = 512;

export type Archive = ReturnType<typeof createArchive>;

/** A tar whose entries are written one after the other. The sink stays open. */
export function createArchive(sink: Writable, { now, signal }: { now: Date; signal: AbortSignal }) {
  const tar = pack();
  const abandoned = new AbortController();
  const entries: Checksums["entries"] = [];
  const writing = pipeline(Readable.from(tar, { objectMode: false }), sink, {
    end: false,
    signal: AbortSignal.any([signal, abandoned.signal]),
  });
  // Its failure is thrown by the next call.
  writing.catch((error: unknown) => tar.destroy(error as Error));

  return {
    entries,
    async add(name: string, content: Buffer): Promise<void> {
      const adding = new Promise<void>((resolve, reject) => {
        const header = { name, size: content.length, mode: OWNER_ONLY, mtime: now };
        const entry = tar.entry(header, content, (error) => (error ? reject(error) : resolve()));
        // Its failure is that of the tar.
        entry.on("error", () => {});
      });
      // The tar ends with its sink, of which the failure is the one to know.
      await Promise.race([writing, adding]).catch((error: unknown) =>
        writing.then(() => Promise.reject(error)),
      );
      const sha256 = createHash("sha256").update(content).digest("hex");
      entries.push({ name, bytes: content.length, sha256 });
    },
    async finish(): Promise<number> {
      tar.finalize();
      await writing;
      return entries.reduce((sum, { bytes }) => sum + BLOCK + BLOCK * Math.ceil(bytes / BLOCK), 2 * BLOCK);
    },
    /** Ends the tar before its last entry, even if the sink has stopped reading. */
    async giveUp(): Promise<void> {
      abandoned.abort();
      await writing.catch(() => undefined);
    },
  };
}
