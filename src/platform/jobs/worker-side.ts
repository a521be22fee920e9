import { parentPort } from "node:worker_threads";
import { ownThread } from "./deadline.ts";

/** A worker sends one message when it has loaded, then one for each question. */
export type Message<Answer> =
  | { ready: true; thread: string | undefined }
  | { answer: Answer }
  | { failure: Error; name: string };

/** Answers the questions of a pool. To be called once, by the module that a worker runs, when it has loaded. */
export function answerQuestions(answer: (question: never) => unknown): void {
  const respond = (question: unknown) => void attempt(() => answer(question as never)).then(send);
  if (parentPort) parentPort.on("message", respond);
  else listen(respond);
  send({ ready: true, thread: ownThread() });
}

function listen(respond: (question: unknown) => void): void {
  process.on("message", respond);
  // Ctrl-C and a stopping computer signal every process of a group; the server still waits for its answer.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  // The server is gone.
  process.on("disconnect", () => process.exit(0));
}

function send(message: Message<unknown>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (parentPort) parentPort.postMessage(message);
  else process.send?.(message);
}

async function attempt(answer: () => unknown): Promise<Message<unknown>> {
  try {
    return { answer: await answer() };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    // A copy of an error loses its class.
    return { failure, name: failure.name };
  }
}
