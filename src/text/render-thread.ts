import { Worker } from "node:worker_threads";
import { AppError, invalid, unavailable } from "../errors.ts";
import type { Answer, Question, Rendered } from "./render-worker.ts";

interface Job {
  question: Question;
  resolve: (rendered: Rendered) => void;
  reject: (error: Error) => void;
}

/** Loading takes a fraction of a second; this long means that it never will. */
const START_DEADLINE_MS = 30_000;
/** Several times what the largest honest body needs. */
const MAX_HEAP_MB = 256;
/** What rendering throws away at once; a larger one is only memory that nobody gives back. */
const MAX_YOUNG_MB = 12;

/** A worker thread that renders one body at a time. It does not keep the process alive while it has none. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #deadlineMs: number;
  #isReady = false;
  #job: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ending: Error | undefined;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.#worker = new Worker(workerFile(), {
      execArgv: workerArguments(),
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: Answer) => this.#hear(answer));
    this.#worker.on("error", (error: Error) => this.#end(explain(error)));
    this.#worker.on("exit", (code) => this.#end(new Error(`The render worker ended with code ${code}.`)));
  }

  /** False once a body or an accident has ended the thread. */
  get isAlive(): boolean {
    return this.#ending === undefined;
  }

  /** To be asked again only when the last body is answered. */
  render(question: Question): Promise<Rendered> {
    return new Promise((resolve, reject) => {
      if (this.#ending !== undefined) return reject(this.#ending);
      this.#job = { question, resolve, reject };
      this.#worker.ref();
      if (this.#isReady) this.#start();
      else this.#arm(START_DEADLINE_MS, new Error("The render worker does not start."));
    });
  }

  async stop(): Promise<void> {
    this.#end(unavailable());
    await this.#worker.terminate();
  }

  #hear(answer: Answer): void {
    if ("ready" in answer) {
      this.#isReady = true;
      this.#start();
    }
    if ("rendered" in answer) this.#settle()?.resolve(answer.rendered);
    if ("failure" in answer) this.#settle()?.reject(explain(answer.failure));
  }

  /** The deadline counts from here, when the thread has loaded. */
  #start(): void {
    if (this.#job === undefined) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(this.#job.question);
    this.#arm(this.#deadlineMs, invalid("Body markdown takes too long to render (render_timeout)"));
  }

  #arm(ms: number, error: Error): void {
    clearTimeout(this.#timer);
    const job = this.#job;
    // An answer that came while the main thread was busy is read before the deadline is judged.
    const judge = () => this.#job === job && this.#end(error);
    this.#timer = setTimeout(() => setImmediate(judge), ms);
  }

  #settle(): Job | undefined {
    clearTimeout(this.#timer);
    this.#worker.unref();
    const job = this.#job;
    this.#job = undefined;
    return job;
  }

  #end(error: Error): void {
    this.#ending ??= error;
    this.#settle()?.reject(error);
    void this.#worker.terminate();
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

/** The worker beside this file, as source or compiled. */
function workerFile(): URL {
  return new URL(isSource() ? "./render-worker.ts" : "./render-worker.js", import.meta.url);
}

/**
 * Teaches a Node that does not read TypeScript by itself. Threads do not inherit the loader of the main
 * thread, and `--import tsx` registers itself there only.
 */
function workerArguments(): string[] {
  const readsTypeScript = "typescript" in process.features && Boolean(process.features.typescript);
  if (!isSource() || readsTypeScript) return [];
  const tsx = import.meta.resolve("tsx/esm/api");
  return ["--import", `data:text/javascript,import { register } from "${tsx}"; register();`];
}

function isSource(): boolean {
  return import.meta.url.endsWith(".ts");
}
