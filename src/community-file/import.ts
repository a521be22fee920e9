import * as analytics from "../analytics/folding.ts";
import type { Db } from "../db/connect.ts";
import { isRetryable } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalid } from "../errors.ts";
import {
  addTally,
  type Entry,
  type ImportContext,
  type RecordType,
  type Tally,
} from "../records/record-type.ts";
import * as vocabulary from "../search/vocabulary.ts";
import { createBatchWriter } from "./batches.ts";
import { readLines } from "./lines.ts";
import { type Bad, type Fields, type Parsed, parseLine } from "./parse.ts";
import { chooseTypes } from "./types.ts";

export interface ImportOptions extends Pick<ImportContext, "now" | "renderPool" | "created"> {
  only?: readonly string[];
  skipInvalid?: boolean;
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  records: number;
  bytes: number;
}

export interface Summary extends Tally {
  /** All records: created, updated, unchanged and skipped. */
  records: number;
  skipped: number;
  bad: Bad[];
}

/** Further bad records are only counted. */
const MAX_REASONS = 100_000;

const BATCH_RECORDS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * All or nothing.
 * @throws AppError invalid with line, key and reason of the first bad record
 */
export async function importFile(
  db: Db,
  source: AsyncIterable<Buffer | string>,
  options: ImportOptions,
): Promise<Summary> {
  const types = chooseTypes(options.only);
  const { summary, writer } = await inTransaction(db, async (tx) => {
    try {
      return await run(tx, source, { ...options, types });
    } catch (error) {
      // The source is consumed, so the transaction can't be repeated.
      if (!isRetryable(error)) throw error;
      throw new AppError("unavailable", "The import met another write and was undone: run it again.", {
        cause: error,
      });
    }
  });
  await writer.afterCommit(db);
  return summary;
}

interface Batch {
  type: RecordType;
  entries: Entry<Fields>[];
  keys: Set<string>;
  bytes: number;
}

async function run(
  tx: Db,
  source: AsyncIterable<Buffer | string>,
  options: ImportOptions & { types: Map<string, RecordType> },
) {
  const summary: Summary = { records: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, bad: [] };
  const writer = createBatchWriter(tx, { ...options, stopAtFirst: !options.skipInvalid });
  const wanted = { types: options.types, isSelection: options.only !== undefined };
  let bytes = 0;
  let batch: Batch | undefined;

  const flush = async () => {
    if (!batch) return;
    const { tally, bad } = await writer.write(batch.type, batch.entries);
    batch = undefined;
    addTally(summary, tally);
    note(bad);
    options.onProgress?.({ records: summary.records, bytes });
  };
  const note = (bad: Bad[]) => {
    const [first] = bad.toSorted((one, other) => one.line - other.line);
    if (first && !options.skipInvalid) throw invalid(`line ${first.line}${joint(first)}${first.reason}`);
    summary.skipped += bad.length;
    summary.bad.push(...bad.slice(0, MAX_REASONS - summary.bad.length));
  };

  for await (const line of readLines(source, (count) => (bytes += count))) {
    const parsed = parseLine(line, wanted);
    if ("skip" in parsed && parsed.skip === "empty") continue;
    summary.records += 1;
    if ("skip" in parsed) summary.skipped += 1;
    else if ("bad" in parsed) {
      // Earlier lines may be bad too, and the first one is named.
      if (!options.skipInvalid) await flush();
      note([parsed.bad]);
    } else {
      const { type, entry } = parsed;
      if (batch && !fits(batch, parsed)) await flush();
      batch ??= { type, entries: [], keys: new Set(), bytes: 0 };
      batch.entries.push(entry);
      batch.keys.add(type.keyOf(entry.fields));
      batch.bytes += parsed.bytes;
    }
  }
  await flush();
  await writer.finish();
  // Otherwise every read of figures would add up these changes.
  await analytics.foldChanges(tx);
  // The vocabulary becomes visible together with the articles.
  await vocabulary.foldChanges(tx);
  summary.bad.sort((one, other) => one.line - other.line);
  return { summary, writer };
}

type Good = Extract<Parsed, { entry: unknown }>;

function fits(batch: Batch, { type, entry, bytes }: Good): boolean {
  return (
    batch.type === type &&
    batch.entries.length < BATCH_RECORDS &&
    batch.bytes + bytes <= BATCH_BYTES &&
    !batch.keys.has(type.keyOf(entry.fields))
  );
}

function joint({ reason }: Bad): string {
  return /^\w+( "|: )/.test(reason) ? ", " : ": ";
}
