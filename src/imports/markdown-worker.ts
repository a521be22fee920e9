import { parentPort } from "node:worker_threads";
import { type Converted, type Source, toMarkdown } from "./to-markdown.ts";

/** What it answers: once that it is ready, then one for each text. */
export type Answer = { ready: true } | { converted: Converted } | { failure: Error };

parentPort?.on("message", (source: Source) => answer(respond(source)));
answer({ ready: true });

function answer(message: Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function respond(source: Source): Answer {
  try {
    return { converted: toMarkdown(source) };
  } catch (error) {
    return { failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
