import { AppError, invalid } from "../../platform/errors.ts";
import { createPool } from "../../platform/jobs/workers.ts";
import type { Converted, Source } from "./to-markdown.ts";

export type Converter = ReturnType<typeof createConverter>;

/** A thread that converts the HTML of items to Markdown, and refuses as invalid what takes too much time or memory. */
export function createConverter(deadlineMs = 3_000) {
  const pool = createPool<Source, Converted>({
    kind: "thread",
    module: "community/feed-imports/markdown-worker",
    label: "The thread that makes Markdown",
    size: 1,
    deadlineMs,
    idleMs: 30_000,
    explain,
  });
  return {
    convert: (source: Source) => pool.ask({ key: undefined }, source),
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
    case "AppError":
      return error;
    default:
      return new AppError("invalid", `Its HTML can't be made into Markdown (${error.message})`, {
        cause: error,
      });
  }
}
