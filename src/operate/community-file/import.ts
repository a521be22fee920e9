import * as analytics from "../../community/analytics/roll-up.ts";
import type { Db } from "../../platform/db/connect.ts";
import { isRetryable } from "../../platform/db/failures.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import type { ImportContext, RecordType, Tally } from "../../community/records/record-type.ts";
import { addTally } from "../../community/records/record-type.ts";
import * as vocabulary from "../../search/vocabulary.ts";
import { createBatchWriter } from "./batches.ts";
import type { Bad } from "./parse.ts";
import { lookAhead, type Progress, readBatches } from "./read-batches.ts";
import { chooseTypes } from "./types.ts";

export interface ImportOptions extends Pick<ImportContext, "now" | "renderPool" | "created"> {
  only?: readonly string[];
  skipInvalid?: boolean;
  isTrial?: boolean;
  /** Whether a reader of the source knows its lines; default true. */
  hasLines?: boolean;
  atEnd?: (tx: Db) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

export interface Summary extends Tally {
  records: number;
  skipped: number;
  bad: Bad[];
  /** The records that were not skipped, by their type. */
  types: Record<string, Tally>;
}

class Trial extends Error {
  readonly summary: Summary;
  constructor(summary: Summary) {
    super("The import was tried.");
    this.summary = summary;
  }
}

/** Further bad records are only counted. */
const MAX_REASONS = 100_000;

/** All or nothing. @throws AppError invalid with line, key and reason of the first bad record */
export async function importFile(db: Db, source: AsyncIterable<Buffer | string>, options: ImportOptions) {
  const types = chooseTypes(options.only);
  const importing = inTransaction(db, async (tx) => {
    try {
      const done = await run(tx, source, { ...options, types });
      if (options.isTrial) throw new Trial(done.summary);
      return done;
    } catch (error) {
      // The source is consumed, so the transaction can't be repeated.
      if (!isRetryable(error)) throw error;
      throw new AppError("unavailable", "The import met another write and was undone: run it again.", {
        cause: error,
      });
    }
  });
  try {
    const { summary, writer } = await importing;
    await writer.afterCommit(db);
    return summary;
  } catch (error) {
    if (error instanceof Trial) return error.summary;
    throw error;
  }
}

async function run(
  tx: Db,
  source: AsyncIterable<Buffer | string>,
  options: ImportOptions & { types: Map<string, RecordType> },
) {
  const summary: Summary = {
    records: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    bad: [],
    types: {},
  };
  const stopAtFirst = !options.skipInvalid;
  const writer = createBatchWriter(tx, { ...options, stopAtFirst });
  const note = (bad: Bad[]) => {
    const [first] = bad.toSorted((one, other) => one.line - other.line);
    if (first && stopAtFirst) throw invalid(sentenceOf(first, options));
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
    addTally((summary.types[part.type.type] ??= { created: 0, updated: 0, unchanged: 0 }), tally);
    note(bad);
    options.onProgress?.(part.progress);
  }
  summary.records = summary.created + summary.updated + summary.unchanged + summary.skipped;
  await writer.finish();
  await options.atEnd?.(tx);
  // Reads of figures would add up these changes each time.
  await analytics.addUpChanges(tx);
  // The vocabulary becomes visible together with the articles.
  await vocabulary.addUpChanges(tx);
  summary.bad.sort((one, other) => one.line - other.line);
  return { summary, writer };
}

/** Names the line of a bad record, if the source has lines. */
export function sentenceOf({ line, reason }: Bad, { hasLines = true }: Pick<ImportOptions, "hasLines">) {
  if (!hasLines) return reason;
  return `line ${line}${/^\w+( "|: )/.test(reason) ? ", " : ": "}${reason}`;
}
