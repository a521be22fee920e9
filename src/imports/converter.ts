import { MarkdownThread } from "./markdown-thread.ts";
import type { Converted, Source } from "./to-markdown.ts";

/** Far more than an honest text takes, and few enough that a hundred of the others don't matter. */
const DEADLINE_MS = 3_000;

export interface Converter {
  /**
   * Makes Markdown of what an item says.
   * @throws AppError invalid for one that takes too long or too much
   */
  convert(source: Source): Promise<Converted>;
  close(): Promise<void>;
}

/** Makes a thread when it is needed, for as long as it is; a text that ends it has the next one get another. */
export function createConverter(deadlineMs = DEADLINE_MS): Converter {
  let thread: MarkdownThread | undefined;
  return {
    convert(source) {
      if (!thread?.isAlive) thread = new MarkdownThread(deadlineMs);
      return thread.convert(source);
    },
    async close() {
      await thread?.stop();
    },
  };
}
