import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Snapshot } from "../db/snapshot.ts";
import type { Archive } from "./archive.ts";
import { tableEntry, tableName, type TableOfBackup } from "./format.ts";

/** Before compression. Two are in memory. */
const PART_BYTES = 8 * 1024 * 1024;

/** Other levels take several times as long for a little less. */
const compress = promisify(gzip);
const SPEED = { level: 1, chunkSize: 1024 * 1024 };

/** Compresses one part of a table while the next one is read, and returns the number of rows. */
export async function addTable(archive: Archive, snapshot: Snapshot, table: TableOfBackup): Promise<number> {
  let parts = 0;
  let adding = Promise.resolve();
  for await (const block of blocks(snapshot.copy(table))) {
    await adding;
    const entry = tableEntry(tableName(table), ++parts);
    adding = compress(block, SPEED).then((bytes) => archive.add(entry, bytes));
    // Thrown at the next turn.
    adding.catch(() => undefined);
  }
  await adding;
  return snapshot.countCopied();
}

/** Blocks of one size but for the last, which may be empty. A block is valid until the one after the next is taken. */
async function* blocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafe(PART_BYTES), Buffer.allocUnsafe(PART_BYTES)] as const;
  let [current, next] = buffers;
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length;) {
      const bytes = chunk.copy(current, filled, taken);
      filled += bytes;
      taken += bytes;
      if (filled < PART_BYTES) continue;
      yield current;
      [current, next] = [next, current];
      filled = 0;
    }
  }
  yield current.subarray(0, filled);
}
