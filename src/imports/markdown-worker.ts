import { parentPort } from "node:worker_threads";
import { type Converted, toMarkdown } from "./to-markdown.ts";

/** What the thread is asked. */
export interface Question {
  html: string;
  /** What relative addresses in it belong to. */
  base: string | undefined;
}

/** What it answers: once that it is ready, then one for each text. */
export type Answer = { ready: true } | { converted: Converted } | { failure: Error };

parentPort?.on("message", (question: Question) => answer(respond(question)));
answer({ ready: true });

function answer(message: Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function respond({ html, base }: Question): Answer {
  try {
    return { converted: toMarkdown(html, base) };
  } catch (error) {
    return { failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
