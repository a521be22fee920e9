import type { Entry, RecordType } from "../../community/records/record-type.ts";
import { readLines } from "./lines.ts";
import { type Bad, type Fields, type Parsed, parseLine, type Selection } from "./parse.ts";

export interface Progress {
  records: number;
  bytes: number;
}

export interface Batch {
  type: RecordType;
  entries: Entry<Fields>[];
  bytes: number;
  progress: Progress;
}

export type ReadBatch = Batch | { bad: Bad };

const BATCH_RECORDS = 200;
const BATCH_BYTES = 256 * 1024;

interface Options {
  selection: Selection;
  /** Earlier lines may be bad too, and the first one is named: a bad line ends the batch before it. */
  stopAtFirst: boolean;
  onSkip(): void;
}

/** Batches are of one type, and hold no key twice. */
export async function* readBatches(
  source: AsyncIterable<Buffer | string>,
  { selection, stopAtFirst, onSkip }: Options,
): AsyncGenerator<ReadBatch> {
  const progress: Progress = { records: 0, bytes: 0 };
  let batch: Batch | undefined;
  let keys = new Set<string>();
  const take = (): Batch[] => {
    const taken = batch ? [{ ...batch, progress: { ...progress } }] : [];
    batch = undefined;
    keys = new Set();
    return taken;
  };

  for await (const line of readLines(source, (count) => (progress.bytes += count))) {
    const parsed = parseLine(line, selection);
    if ("skip" in parsed && parsed.skip === "empty") continue;
    progress.records += 1;
    if ("bad" in parsed) {
      if (stopAtFirst) yield* take();
      yield parsed;
    } else if ("entry" in parsed) {
      const key = parsed.type.keyOf(parsed.entry.fields);
      if (batch && (keys.has(key) || !fits(batch, parsed))) yield* take();
      batch ??= { type: parsed.type, entries: [], bytes: 0, progress };
      batch.entries.push(parsed.entry);
      batch.bytes += parsed.bytes;
      keys.add(key);
    } else onSkip();
  }
  yield* take();
}

const fits = (batch: Batch, { type, bytes }: Extract<Parsed, { entry: unknown }>): boolean =>
  batch.type === type && batch.entries.length < BATCH_RECORDS && batch.bytes + bytes <= BATCH_BYTES;

const MOST_BATCHES = 3;
const MOST_BYTES = 768 * 1024;

/** Reads on while a part is written. `prefetch` gets a batch once all before it are written or of its type. */
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

function ofOneType(parts: ReadBatch[]): Batch[] {
  const batches = parts.filter((part) => "type" in part);
  const end = batches.findIndex(({ type }) => type !== batches[0]?.type);
  return end < 0 ? batches : batches.slice(0, end);
}
