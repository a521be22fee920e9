import type { Batch, ReadBatch } from "./read-batches.ts";

const MOST_BATCHES = 3;
/** Bounds the memory for large bodies. */
const MOST_BYTES = 768 * 1024;

/**
 * Reads on while a part is being written. `prefetch` gets each batch before its turn, as soon as all batches before it
 * are written or of its type, and never while another part is being written.
 */
export async function* lookAhead(
  parts: AsyncGenerator<ReadBatch>,
  prefetch: (batch: Batch) => Promise<void>,
): AsyncGenerator<ReadBatch> {
  const waiting: ReadBatch[] = [];
  const prefetched = new WeakSet<ReadBatch>();
  const next = () => {
    const reading = parts.next();
    reading.catch(() => {});
    return reading;
  };
  const hasRoom = () => waiting.length < MOST_BATCHES && sum(waiting.map(bytesOf)) < MOST_BYTES;

  let reading = next();
  try {
    for (let isDone = false; ;) {
      while (!isDone && (waiting.length === 0 || hasRoom())) {
        const read = await reading.catch(() => undefined);
        isDone = read?.done !== false;
        if (read?.done !== false) break;
        waiting.push(read.value);
        reading = next();
      }
      for (const batch of ofOneType(waiting)) {
        if (!prefetched.has(batch)) await prefetch(batch);
        prefetched.add(batch);
      }
      const part = waiting.shift();
      if (part === undefined) {
        // Throws the failure of the source, behind the parts before it.
        await reading;
        return;
      }
      yield part;
    }
  } finally {
    // Ends the source. A stream that is silent now does so later.
    void parts.return(undefined).catch(() => {});
  }
}

const bytesOf = (part: ReadBatch) => ("bad" in part ? 0 : part.bytes);
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** The first batches that are of the same type. */
function ofOneType(parts: ReadBatch[]): Batch[] {
  const batches = parts.filter((part) => "type" in part);
  const end = batches.findIndex(({ type }) => type !== batches[0]?.type);
  return end < 0 ? batches : batches.slice(0, end);
}
