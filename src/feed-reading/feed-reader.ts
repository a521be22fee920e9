import { unavailable } from "../errors.ts";
import { createFairQueue } from "../fair-queue.ts";
import type { Feed } from "./feed.ts";
import { FeedThread } from "./feed-thread.ts";

export interface FeedReader {
  /**
   * Reads what was fetched from `url`, of which the caller has bounded the size.
   * @throws FeedProblem for what is no feed or harms whoever reads it; AppError unavailable when it is closed
   */
  read(body: Uint8Array, contentType: string | undefined, url: string): Promise<Feed>;
  /** Ends the thread; feeds not read by then are refused as unavailable. */
  close(): Promise<void>;
}

/**
 * Reads feeds in a thread beside the main one, one after the other; it starts when it is needed. A feed over the
 * deadline, or of more memory than it is worth, costs the thread, and a new one takes its place.
 */
export function createFeedReader({ deadlineMs = 2_000, heapMb = 256 } = {}): FeedReader {
  const queue = createFairQueue({ size: 1 });
  let thread: FeedThread | undefined;
  let isClosed = false;

  function read(...[body, contentType, url]: Parameters<FeedReader["read"]>): Promise<Feed> {
    if (isClosed) throw unavailable();
    if (!thread?.isAlive) thread = new FeedThread({ deadlineMs, heapMb });
    return thread.read({ body, contentType, url });
  }

  return {
    read: (...given) => queue.run({ key: undefined }, async () => read(...given)),
    async close() {
      isClosed = true;
      queue.close();
      await thread?.stop();
    },
  };
}
