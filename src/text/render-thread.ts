import { Worker } from "node:worker_threads";
import { AppError, invalid, unavailable } from "../errors.ts";
import { Exchange } from "../jobs/exchange.ts";
import { threadArguments, workerModule } from "../jobs/worker-module.ts";
import type { Answer, Question, Rendered } from "./render-worker.ts";

/** Several times what the largest honest body needs. */
const MAX_HEAP_MB = 256;
/** What rendering throws away at once; a larger one is only memory that nobody gives back. */
const MAX_YOUNG_MB = 12;

/** What ends a thread whose body takes longer than its deadline. */
const TOO_LONG = new Error("The body takes too long to render.");

interface ThreadOptions {
  deadlineMs: number;
  /** Whether a body over the deadline may be innocent: it would have to share the processors. */
  isBusy: () => boolean;
}

/** A worker thread that renders one body at a time. It does not keep the process alive while it has none. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #exchange: Exchange<Question, Rendered>;
  readonly #isBusy: () => boolean;

  constructor({ deadlineMs, isBusy }: ThreadOptions) {
    const worker = new Worker(workerModule("text/render-worker"), {
      execArgv: threadArguments(),
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    this.#worker = worker;
    this.#isBusy = isBusy;
    this.#exchange = new Exchange(
      {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        send: (question) => worker.postMessage(question),
        kill: () => void worker.terminate(),
        hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      },
      {
        startFailure: "The render worker does not start.",
        deadlineOf: () => ({ ms: deadlineMs, error: TOO_LONG }),
      },
    );
    worker.on("message", (answer: Answer) => this.#hear(answer));
    worker.on("error", (error: Error) => this.#exchange.end(explain(error)));
    worker.on("exit", (code) => this.#exchange.end(new Error(`The render worker ended with code ${code}.`)));
  }

  /** False once a body or an accident has ended the thread. */
  get isAlive(): boolean {
    return this.#exchange.isAlive;
  }

  /** To be asked again only when the last body is answered. */
  async render(question: Question): Promise<Rendered> {
    try {
      return await this.#exchange.ask(question);
    } catch (error) {
      throw error === TOO_LONG ? this.#judge() : error;
    }
  }

  async stop(): Promise<void> {
    this.#exchange.end(unavailable());
    await this.#worker.terminate();
  }

  #judge(): AppError {
    return this.#isBusy()
      ? unavailable(TOO_LONG)
      : invalid("Body markdown takes too long to render (render_timeout)");
  }

  #hear(answer: Answer): void {
    if ("ready" in answer) this.#exchange.begin();
    if ("rendered" in answer) this.#exchange.resolve(answer.rendered);
    if ("failure" in answer) this.#exchange.reject(explain(answer.failure));
  }
}

/** Says what a body did to its thread; anything else is our fault and stays as it is. */
function explain(error: Error): Error {
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new AppError("invalid", "Body markdown takes too much memory to render", { cause: error });
  }
  if (error instanceof RangeError) {
    return new AppError("invalid", "Body markdown is nested too deeply to render", { cause: error });
  }
  return error;
}
