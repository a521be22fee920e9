import { AppError, invalid } from "../errors.ts";
import { createPool } from "../jobs/workers.ts";
import type { Converted, Source } from "./to-markdown.ts";

const DEADLINE_MS = 3_000;

export interface Converter {
  /**
   * Converts the HTML of an item to Markdown.
   * @throws AppError invalid for HTML that takes too much time or memory; unavailable when closed
   */
  convert(source: Source): Promise<Converted>;
  /** Ends the thread; texts not converted by then are refused as unavailable. */
  close(): Promise<void>;
}

export function createConverter(deadlineMs = DEADLINE_MS): Converter {
  const pool = createPool<Source, Converted>({
    kind: "thread",
    module: "feed-imports/markdown-worker",
    label: "The thread that makes Markdown",
    size: 1,
    deadlineMs,
    idleMs: 30_000,
    explain,
  });
  return {
    convert: (source) => pool.ask({ key: undefined }, source),
    close: () => pool.close(),
  };
}

function explain(error: Error): Error {
  switch (error.name) {
    case "WorkerTimeout":
      return invalid("Its HTML takes too long to be made into Markdown");
    case "WorkerOutOfMemory":
      return new AppError("invalid", "Its HTML takes too much memory to be made into Markdown", {
        cause: error,
      });
    case "RangeError":
      return invalid("Its HTML is nested too deeply");
    default:
      return error;
  }
}
