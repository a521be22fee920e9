import { Worker } from "node:worker_threads";
import { AppError, invalid, unavailable } from "../errors.ts";
import { Exchange } from "../jobs/exchange.ts";
import { threadArguments, workerModule } from "../jobs/worker-module.ts";
import type { Answer } from "./markdown-worker.ts";
import type { Converted, Source } from "./to-markdown.ts";

const MAX_HEAP_MB = 256;
/** What converting throws away at once; a larger one is only memory that nobody gives back. */
const MAX_YOUNG_MB = 12;
/** A thread without work gives its memory back after so long. */
const IDLE_MS = 30_000;

/** A worker thread that makes Markdown of one text at a time. */
export class MarkdownThread {
  readonly #worker: Worker;
  readonly #exchange: Exchange<Source, Converted>;

  constructor(deadlineMs: number) {
    const worker = new Worker(workerModule("imports/markdown-worker"), {
      execArgv: threadArguments(),
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    this.#worker = worker;
    this.#exchange = new Exchange(
      {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        send: (source) => worker.postMessage(source),
        kill: () => void worker.terminate(),
        hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      },
      {
        startFailure: "The thread that makes Markdown does not start.",
        deadlineOf: () => ({
          ms: deadlineMs,
          error: invalid("Its HTML takes too long to be made into Markdown"),
        }),
        idle: { ms: IDLE_MS, error: unavailable() },
      },
    );
    worker.on("message", (answer: Answer) => this.#hear(answer));
    worker.on("error", (error: Error) => this.#exchange.end(explain(error)));
    worker.on("exit", (code) =>
      this.#exchange.end(new Error(`The thread that makes Markdown ended with code ${code}.`)),
    );
  }

  /** False once a text or an accident has ended the thread. */
  get isAlive(): boolean {
    return this.#exchange.isAlive;
  }

  /**
   * To be asked again only when the last text is answered.
   * @throws AppError invalid for a text that takes too long or too much
   */
  convert(source: Source): Promise<Converted> {
    return this.#exchange.ask(source);
  }

  async stop(): Promise<void> {
    this.#exchange.end(unavailable());
    await this.#worker.terminate();
  }

  #hear(answer: Answer): void {
    if ("ready" in answer) this.#exchange.begin();
    if ("converted" in answer) this.#exchange.resolve(answer.converted);
    if ("failure" in answer) this.#exchange.reject(explain(answer.failure));
  }
}

/** Says what a text did to its thread; anything else is our fault and stays as it is. */
function explain(error: Error): Error {
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new AppError("invalid", "Its HTML takes too much memory to be made into Markdown", {
      cause: error,
    });
  }
  return error instanceof RangeError ? invalid("Its HTML is nested too deeply") : error;
}
