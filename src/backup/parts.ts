import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Snapshot } from "../db/snapshot.ts";
import type { Archive } from "./archive.ts";
import { tableEntry, tableName, type TableOfBackup } from "./format.ts";

/** Before compression. */
const PART_BYTES = 2 * 1024 * 1024;

/** Other levels take several times as long for a little less. */
const compress = promisify(gzip);
const SPEED = { level: 1, chunkSize: 1024 * 1024 };

interface Source {
  snapshot: Snapshot;
  /** How many parts are compressed while the next one is read. */
  parallel: number;
}

/** Adds the parts of a table, and returns the number of rows. */
export async function addTable(
  archive: Archive,
  { snapshot, parallel }: Source,
  table: TableOfBackup,
): Promise<number> {
  let parts = 0;
  const compressing: Promise<Buffer>[] = [];
  async function addNext(): Promise<void> {
    const bytes = await compressing.shift();
    if (bytes !== undefined) await archive.add(tableEntry(tableName(table), ++parts), bytes);
  }
  for await (const block of blocks(snapshot.copy(table), parallel + 1)) {
    const packed = compress(block, SPEED);
    // Thrown when its turn comes.
    packed.catch(() => undefined);
    compressing.push(packed);
    if (compressing.length > parallel) await addNext();
  }
  while (compressing.length > 0) await addNext();
  return snapshot.countCopied();
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
