import { Worker } from "node:worker_threads";
import { unavailable } from "../errors.ts";
import { Exchange } from "../jobs/exchange.ts";
import { threadArguments, workerModule } from "../jobs/worker-module.ts";
import { type Feed, FeedProblem } from "./feed.ts";
import type { Answer, Question } from "./feed-worker.ts";

/** What parsing throws away at once; a larger one is only memory that nobody gives back. */
const MAX_YOUNG_MB = 12;
/** A thread without work gives its memory back after so long. */
const IDLE_MS = 30_000;

/** A worker thread that reads one feed at a time. It does not keep the process alive while it has none. */
export class FeedThread {
  readonly #worker: Worker;
  readonly #exchange: Exchange<Question, Feed>;

  constructor({ deadlineMs, heapMb }: { deadlineMs: number; heapMb: number }) {
    const worker = new Worker(workerModule("feed-reading/feed-worker"), {
      execArgv: threadArguments(),
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    this.#worker = worker;
    this.#exchange = new Exchange(
      {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        send: (question) => worker.postMessage(question),
        kill: () => void worker.terminate(),
        hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      },
      {
        startFailure: "The thread that reads feeds does not start.",
        deadlineOf: () => ({ ms: deadlineMs, error: new FeedProblem("The feed takes too long to read.") }),
        idle: { ms: IDLE_MS, error: unavailable() },
      },
    );
    worker.on("message", (answer: Answer) => this.#hear(answer));
    worker.on("error", (error: Error) => this.#exchange.end(explain(error)));
    worker.on("exit", (code) =>
      this.#exchange.end(new Error(`The thread that reads feeds ended with code ${code}.`)),
    );
  }

  /** False once a feed, an accident or a long rest has ended the thread. */
  get isAlive(): boolean {
    return this.#exchange.isAlive;
  }

  /** To be asked again only when the last feed is read. */
  read(question: Question): Promise<Feed> {
    return this.#exchange.ask(question);
  }

  async stop(): Promise<void> {
    this.#exchange.end(unavailable());
    await this.#worker.terminate();
  }

  #hear(answer: Answer): void {
    if ("ready" in answer) this.#exchange.begin();
    if ("feed" in answer) this.#exchange.resolve(answer.feed);
    if ("problem" in answer) this.#exchange.reject(new FeedProblem(answer.problem));
    if ("failure" in answer) this.#exchange.reject(answer.failure);
  }
}

/** Says what a feed did to its thread; anything else is our fault and stays as it is. */
function explain(error: Error): Error {
  const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? new FeedProblem("The feed takes too much memory to read.", { cause: error }) : error;
}
