import * as analytics from "../analytics/roll-up.ts";
import type { Db } from "../db/connect.ts";
import { isRetryable } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalid } from "../errors.ts";
import { addTally, type ImportContext, type RecordType, type Tally } from "../records/record-type.ts";
import * as vocabulary from "../search/vocabulary.ts";
import { createBatchWriter } from "./batches.ts";
import { lookAhead } from "./look-ahead.ts";
import type { Bad } from "./parse.ts";
import { type Progress, readBatches } from "./read-batches.ts";
import { chooseTypes } from "./types.ts";

export interface ImportOptions extends Pick<ImportContext, "now" | "renderPool" | "created"> {
  only?: readonly string[];
  skipInvalid?: boolean;
  onProgress?: (progress: Progress) => void;
}

export interface Summary extends Tally {
  /** All records: created, updated, unchanged and skipped. */
  records: number;
  skipped: number;
  bad: Bad[];
}

/** Further bad records are only counted. */
const MAX_REASONS = 100_000;

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

async function run(
  tx: Db,
  source: AsyncIterable<Buffer | string>,
  options: ImportOptions & { types: Map<string, RecordType> },
) {
  const summary: Summary = { records: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, bad: [] };
  const stopAtFirst = !options.skipInvalid;
  const writer = createBatchWriter(tx, { ...options, stopAtFirst });
  const note = (bad: Bad[]) => {
    const [first] = bad.toSorted((one, other) => one.line - other.line);
    if (first && stopAtFirst) throw invalid(`line ${first.line}${joint(first)}${first.reason}`);
    summary.skipped += bad.length;
    summary.bad.push(...bad.slice(0, MAX_REASONS - summary.bad.length));
  };

  const parts = readBatches(source, {
    selection: { types: options.types, isSelection: options.only !== undefined },
    stopAtFirst,
    onSkip: () => (summary.skipped += 1),
  });
  for await (const part of lookAhead(parts, (batch) => writer.prefetch(batch))) {
    if ("bad" in part) {
      note([part.bad]);
      continue;
    }
    const { tally, bad } = await writer.write(part.type, part.entries);
    addTally(summary, tally);
    note(bad);
    options.onProgress?.(part.progress);
  }
  summary.records = summary.created + summary.updated + summary.unchanged + summary.skipped;
  await writer.finish();
  // Reads of figures would add up these changes each time.
  await analytics.addUpChanges(tx);
  // The vocabulary becomes visible together with the articles.
  await vocabulary.addUpChanges(tx);
  summary.bad.sort((one, other) => one.line - other.line);
  return { summary, writer };
}

function joint({ reason }: Bad): string {
  return /^\w+( "|: )/.test(reason) ? ", " : ": ";
}
