import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { unavailable } from "../errors.ts";
import { stopwatch } from "./deadline.ts";
import { watch } from "./processor-time.ts";
import { entryOf } from "./worker-entry.ts";
import type { Message } from "./worker-side.ts";

export interface ChannelOptions {
  /**
   * A process costs more than a thread; its crash ends nothing else, and it can be ended while native code hangs.
   */
  kind: "thread" | "process";
  /** The worker's module, by its path from `src/` without its extension. `scripts/build.mjs` lists them. */
  module: string;
  /** The subject of sentences about failures: "The thread that reads feeds". */
  label: string;
  /** Of a thread. */
  heapMb?: number;
  /** Of a process; no other variables are passed to it. */
  env?: Record<string, string>;
}

/** The line to a worker. */
export interface Channel<Question> {
  send(question: Question): void;
  /** Ends the worker at once. */
  kill(): Promise<unknown>;
  /** Determines whether the worker keeps this process alive. */
  hold(isHeld: boolean): void;
  /** Measures the milliseconds from now on that count for a deadline: of a thread, those that it works. */
  watch(): () => number;
}

/** For short-lived values; a larger one only holds memory. */
const MAX_YOUNG_MB = 12;

/** The signals of a process's own faults; other signals are sent to it from outside. */
const CRASHES = new Set<unknown>(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"]);

type Open = <Question, Answer>(
  options: ChannelOptions,
  hear: (message: Message<Answer>) => void,
  end: (error: Error) => unknown,
) => Channel<Question>;

export const openChannel: Open = (options, hear, end) =>
  options.kind === "thread" ? openThread(options, hear, end) : openProcess(options, hear, end);

const openThread: Open = ({ module, label, heapMb = 256 }, hear, end) => {
  const { url, threadArguments } = entryOf(module);
  const worker = new Worker(url, {
    execArgv: threadArguments,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  });
  let thread: string | undefined;
  worker.on("message", (message: Message<never>) => {
    if ("ready" in message) ({ thread } = message);
    hear(message);
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    end(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? named("WorkerOutOfMemory", error) : error),
  );
  worker.on("exit", (code) => end(new Error(`${label} ended with code ${code}.`)));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    send: (question) => worker.postMessage(question),
    kill: () => worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    watch: () => watch(thread),
  };
};

const openProcess: Open = ({ module, label, env = {} }, hear, end) => {
  const { url, processArguments } = entryOf(module);
  const child = fork(fileURLToPath(url), {
    execArgv: processArguments,
    env,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("message", hear);
  child.on("error", end);
  child.on("exit", (code, signal) => {
    const error = new Error(`${label} ended with ${signal ?? `code ${code}`}.`);
    if (signal === null) end(error);
    else end(CRASHES.has(signal) ? named("WorkerCrash", error) : unavailable(error));
  });
  return {
    send: (question) => child.send(question as object),
    kill: async () => child.kill("SIGKILL"),
    hold(isHeld) {
      for (const each of [child, child.channel]) each?.[isHeld ? "ref" : "unref"]();
    },
    watch: stopwatch,
  };
};

export function named<T extends Error>(name: string, error: T): T {
  return Object.assign(error, { name });
}
