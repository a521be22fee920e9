import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { unavailable } from "../errors.ts";
import { createFairQueue, type Waiter } from "../fair-queue.ts";
import { startDeadline, stopwatch, watch } from "./deadline.ts";
import { entryOf } from "./worker-entry.ts";
import type { Message } from "./worker-side.ts";

export interface PoolOptions<Question> extends ChannelOptions {
  size: number;
  limit?: number;
  /** A worker that takes longer is ended: a thread by the time that it works, a process by the time on the wall. */
  deadlineMs: number | ((question: Question) => number);
  /** A worker without work ends after this time; never by default. */
  idleMs?: number;
  /** From the worker's error, named WorkerTimeout, WorkerOutOfMemory, WorkerCrash, or as it was thrown. */
  explain: (error: Error) => Error;
}

const START_DEADLINE_MS = 30_000;

export function createPool<Question, Answer>(options: PoolOptions<Question>) {
  const { size, limit } = options;
  const queue = createFairQueue({ size, ...(limit !== undefined && { limit }) });
  const workers = new Set<Worker<Question, Answer>>();
  let isClosed = false;

  function free(): Worker<Question, Answer> {
    for (const worker of workers) if (!worker.isBusy()) return worker;
    const worker = startWorker<Question, Answer>(options, () => workers.delete(worker));
    workers.add(worker);
    return worker;
  }

  return {
    /** @throws AppError unavailable when too many wait or the pool is closed, or the error of `explain` */
    ask: (waiter: Waiter, question: Question): Promise<Answer> =>
      queue.run(waiter, async () => {
        if (isClosed) throw unavailable();
        return free().ask(question);
      }),
    async close(): Promise<void> {
      isClosed = true;
      queue.close();
      await Promise.all([...workers].map((worker) => worker.end(unavailable())));
    },
  };
}

type Worker<Question, Answer> = ReturnType<typeof startWorker<Question, Answer>>;

function startWorker<Q, A>(options: PoolOptions<Q>, onEnd: () => void) {
  const { label, deadlineMs, idleMs, explain } = options;
  const channel = openChannel<Q, A>(options, hear, end);
  let isReady = false;
  let task: { question: Q; resolve: (answer: A) => void; reject: (error: Error) => void } | undefined;
  let cancel: (() => void) | undefined;

  function hear(message: Message<A>): void {
    if ("ready" in message) {
      isReady = true;
      if (task !== undefined) send(task.question);
    } else if ("answer" in message) settle()?.resolve(message.answer);
    else settle()?.reject(explain(named(message.name, message.failure)));
  }

  /** The deadline begins when the worker has loaded. */
  function send(question: Q): void {
    channel.send(question);
    const ms = typeof deadlineMs === "number" ? deadlineMs : deadlineMs(question);
    arm(ms, channel.watch(), named("WorkerTimeout", new Error(`${label} takes too long.`)));
  }

  function arm(ms: number, spent: () => number, error: Error): void {
    cancel?.();
    cancel = startDeadline(ms, spent, () => void end(error));
  }

  /** An idle worker does not keep this process alive. */
  function settle(): typeof task {
    const settled = task;
    task = undefined;
    cancel?.();
    channel.hold(false);
    const idle = idleMs !== undefined && setTimeout(() => void end(unavailable()), idleMs).unref();
    cancel = () => void (idle && clearTimeout(idle));
    return settled;
  }

  /** The first reason is the one that the task is refused with. A worker that never loaded is not the task's fault. */
  function end(error: Error): Promise<unknown> {
    onEnd();
    settle()?.reject(isReady ? explain(error) : error);
    cancel?.();
    return channel.kill();
  }

  return {
    isBusy: () => task !== undefined,
    ask: (question: Q) =>
      new Promise<A>((resolve, reject) => {
        task = { question, resolve, reject };
        channel.hold(true);
        if (isReady) send(question);
        else arm(START_DEADLINE_MS, stopwatch(), new Error(`${label} does not start.`));
      }),
    end,
  };
}

interface ChannelOptions {
  /** A process costs more than a thread, but its crash ends nothing else, and it can be ended at any time. */
  kind: "thread" | "process";
  /** The worker's module, by its path from `src/` without its extension. `scripts/build.mjs` lists them. */
  module: string;
  /** The subject of sentences about failures: "The thread that reads feeds". */
  label: string;
  heapMb?: number;
  env?: Record<string, string>;
}

interface Channel<Question> {
  send(question: Question): void;
  kill(): Promise<unknown>;
  /** Determines whether the worker keeps this process alive. */
  hold(isHeld: boolean): void;
  /** Measures the milliseconds from now on that count for a deadline: of a thread, those that it works. */
  watch(): () => number;
}

/** Limits V8's space for short-lived values: a larger space only holds memory. */
const MAX_YOUNG_MB = 12;

/** The signals of a process's own faults; other signals are sent to it from outside. */
const CRASHES = new Set<unknown>(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"]);

type Open = <Question, Answer>(
  options: ChannelOptions,
  hear: (message: Message<Answer>) => void,
  end: (error: Error) => unknown,
) => Channel<Question>;

const openChannel: Open = (options, hear, end) =>
  options.kind === "thread" ? openThread(options, hear, end) : openProcess(options, hear, end);

const openThread: Open = ({ module, label, heapMb = 256 }, hear, end) => {
  const { url, threadArguments } = entryOf(module);
  const worker = new Thread(url, {
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

const named = <T extends Error>(name: string, error: T): T => Object.assign(error, { name });
