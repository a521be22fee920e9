import { parentPort } from "node:worker_threads";
import { type Feed, FeedProblem } from "./feed.ts";
import { readFeed } from "./read-feed.ts";

/** What the thread is asked. */
export interface Question {
  body: Uint8Array;
  contentType: string | undefined;
  url: string;
}

/** What it answers: once that it is ready, then one for each feed. */
export type Answer = { ready: true } | { feed: Feed } | { problem: string } | { failure: Error };

parentPort?.on("message", (question: Question) => answer(respond(question)));
answer({ ready: true });

function answer(message: Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function respond({ body, contentType, url }: Question): Answer {
  try {
    return { feed: readFeed(body, contentType, url) };
  } catch (error) {
    if (error instanceof FeedProblem) return { problem: error.message };
    return { failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
