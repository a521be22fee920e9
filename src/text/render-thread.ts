import { Worker } from "node:worker_threads";
import { AppError, invalid, unavailable } from "../errors.ts";
import type { Answer, Rendered } from "./render-worker.ts";

/** A worker thread that renders one body at a time. It does not keep the process alive while it has none. */
export interface RenderThread {
  /** Ends the thread for good when it is refused: only a live thread may be asked again. */
  render(markdown: string): Promise<Rendered>;
  isAlive(): boolean;
  stop(): Promise<void>;
}

interface Waiting {
  resolve: (rendered: Rendered) => void;
  reject: (error: Error) => void;
}

/** Loading takes a fraction of a second; this long means that it never will. */
const START_DEADLINE_MS = 30_000;
/** Several times what the largest honest body needs. */
const MAX_HEAP_MB = 256;

/** Starts a thread; the deadline of a body counts from when the thread has loaded. */
export function openRenderThread(deadlineMs: number): RenderThread {
  const worker = new Worker(workerFile(), {
    execArgv: workerArguments(),
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let isAlive = true;
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let waiting: Waiting | undefined;
  let body: string | undefined;

  worker.unref();
  worker.on("message", (answer: Answer) => {
    if ("ready" in answer) isReady = true;
    if ("rendered" in answer) settle()?.resolve(answer.rendered);
    if ("failure" in answer) settle()?.reject(explain(answer.failure));
    post();
  });
  worker.on("error", (error) => end(explain(error)));
  worker.on("exit", (code) => end(new Error(`The render worker ended with code ${code}.`)));

  /** Hands the body over once the thread has loaded. */
  function post(): void {
    if (!isReady || body === undefined) return;
    worker.postMessage(body);
    body = undefined;
    arm(deadlineMs, invalid("Body markdown takes too long to render (render_timeout)"));
  }

  function arm(ms: number, error: Error): void {
    clearTimeout(timer);
    // An answer that came while the main thread was busy is read before the deadline is judged.
    timer = setTimeout(() => setImmediate(() => waiting && end(error)), ms);
  }

  function settle(): Waiting | undefined {
    clearTimeout(timer);
    worker.unref();
    const settled = waiting;
    waiting = undefined;
    return settled;
  }

  function end(error: Error): void {
    isAlive = false;
    settle()?.reject(error);
    void worker.terminate();
  }

  return {
    render: (markdown) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        body = markdown;
        worker.ref();
        arm(START_DEADLINE_MS, new Error("The render worker does not start."));
        post();
      }),
    isAlive: () => isAlive,
    stop: async () => {
      end(unavailable());
      await worker.terminate();
    },
  };
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
