import { unavailable } from "../errors.ts";
import { createFairQueue } from "../fair-queue.ts";
import { MarkdownThread } from "./markdown-thread.ts";
import type { Converted, Source } from "./to-markdown.ts";

/** Far more than an honest text takes. */
const DEADLINE_MS = 3_000;

export interface Converter {
  /**
   * Makes Markdown of what an item says.
   * @throws AppError invalid for one that takes too long or too much; unavailable when it is closed
   */
  convert(source: Source): Promise<Converted>;
  /** Ends the thread; what isn't converted by then is refused as unavailable. */
  close(): Promise<void>;
}

/** Converts one text at a time, in a thread that starts when it is needed; one that ends it has the next get another. */
export function createConverter(deadlineMs = DEADLINE_MS): Converter {
  const queue = createFairQueue({ size: 1 });
  let thread: MarkdownThread | undefined;
  let isClosed = false;
  return {
    convert: (source) =>
      queue.run({ key: undefined }, async () => {
        if (isClosed) throw unavailable();
        if (!thread?.isAlive) thread = new MarkdownThread(deadlineMs);
        return thread.convert(source);
      }),
    async close() {
      isClosed = true;
      queue.close();
      await thread?.stop();
    },
  };
}
