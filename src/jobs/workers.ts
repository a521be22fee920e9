import { unavailable } from "../errors.ts";
import { createFairQueue, type Waiter } from "../fair-queue.ts";
import { startDeadline, stopwatch } from "./deadline.ts";
import { type ChannelOptions, named, openChannel } from "./worker-channels.ts";
import type { Message } from "./worker-side.ts";

export interface PoolOptions<Question> extends ChannelOptions {
  size: number;
  limit?: number;
  /** A worker that takes longer is ended: a thread by the time that it works, a process by the time on the wall. */
  deadlineMs: number | ((question: Question) => number);
  /** Without work the worker ends after this time; never by default. */
  idleMs?: number;
  /**
   * Makes the error of the caller from that of the worker, whose `name` tells the fault: WorkerTimeout, WorkerOutOfMemory,
   * WorkerCrash, or that of the error that the worker threw.
   */
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
