import { createPool } from "../../platform/jobs/workers.ts";
import { type Feed, FeedProblem } from "./feed.ts";
import type { Question } from "./feed-worker.ts";

export type FeedReader = ReturnType<typeof createFeedReader>;

/** A thread that reads feeds, whose size the caller limits. It refuses bad ones with a FeedProblem. */
export function createFeedReader({ deadlineMs = 2_000, heapMb = 256 } = {}) {
  const pool = createPool<Question, Feed>({
    kind: "thread",
    module: "content/feeds/feed-worker",
    label: "The thread that reads feeds",
    size: 1,
    deadlineMs,
    heapMb,
    idleMs: 30_000,
    explain,
  });
  return {
    read: (body: Uint8Array, contentType: string | undefined, url: string) =>
      pool.ask({ key: undefined }, { body, contentType, url }),
    close: () => pool.close(),
  };
}

function explain(error: Error): Error {
  switch (error.name) {
    case "WorkerTimeout":
      return new FeedProblem("The feed takes too long to read.");
    case "WorkerOutOfMemory":
      return new FeedProblem("The feed takes too much memory to read.", { cause: error });
    case "FeedProblem":
      return new FeedProblem(error.message);
    default:
      return error;
  }
}
