import { unavailable } from "../errors.ts";
import { createFairQueue, type Waiter } from "../fair-queue.ts";
import { type ChannelOptions, openChannel, WORKER_TIMEOUT } from "./worker-channels.ts";
import type { Message } from "./worker-side.ts";

/** Threads or processes that answer one question at a time each. They start when they are needed. */
export interface Pool<Question, Answer> {
  /** @throws AppError unavailable when too many wait or the pool is closed, or what `explain` makes of a failure */
  ask(waiter: Waiter, question: Question): Promise<Answer>;
  /** Ends the workers and refuses the questions that are not answered by then. */
  close(): Promise<void>;
}

export interface PoolOptions<Question> extends ChannelOptions {
  /** The number of workers. */
  size: number;
  /** The number of questions that may wait. */
  limit?: number;
  /** A question that takes longer costs the worker its life. */
  deadlineMs: number | ((question: Question) => number);
  /** A worker without work ends after this time and gives its memory back; never when left out. */
  idleMs?: number;
  /**
   * Makes the error of the caller from that of the worker, whose `name` tells the fault: WorkerTimeout, WorkerOutOfMemory,
   * WorkerCrash, or that of the error that the worker threw.
   */
  explain: (error: Error) => Error;
}

/** Loading takes a fraction of a second; after this long it never ends. */
const START_DEADLINE_MS = 30_000;

export function createPool<Question, Answer>(options: PoolOptions<Question>): Pool<Question, Answer> {
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
    ask: (waiter, question) =>
      queue.run(waiter, async () => {
        if (isClosed) throw unavailable();
        return free().ask(question);
      }),
    async close() {
      isClosed = true;
      queue.close();
      await Promise.all([...workers].map((worker) => worker.end(unavailable())));
    },
  };
}

interface Worker<Question, Answer> {
  isBusy(): boolean;
  ask(question: Question): Promise<Answer>;
  end(error: Error): Promise<unknown>;
}

interface Task<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

function startWorker<Q, A>(options: PoolOptions<Q>, onEnd: () => void): Worker<Q, A> {
  const { label, deadlineMs, idleMs, explain } = options;
  const channel = openChannel<Q, A>(options, { hear, end });
  let isReady = false;
  let task: Task<Q, A> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function hear(message: Message<A>): void {
    if ("ready" in message) {
      isReady = true;
      if (task !== undefined) send(task.question);
    } else if ("answer" in message) settle()?.resolve(message.answer);
    else settle()?.reject(explain(Object.assign(message.failure, { name: message.name })));
  }

  /** The deadline begins here, when the worker has loaded. */
  function send(question: Q): void {
    channel.send(question);
    const ms = typeof deadlineMs === "number" ? deadlineMs : deadlineMs(question);
    arm(ms, Object.assign(new Error(`${label} takes too long.`), { name: WORKER_TIMEOUT }));
  }

  function arm(ms: number, error: Error): void {
    clearTimeout(timer);
    const late = task;
    timer = after(ms, () => void (task === late && end(error)));
  }

  /** A worker without a task does not keep this process alive. */
  function settle(): Task<Q, A> | undefined {
    const settled = task;
    task = undefined;
    clearTimeout(timer);
    channel.hold(false);
    if (idleMs !== undefined) timer = setTimeout(() => void end(unavailable()), idleMs).unref();
    return settled;
  }

  /** The first reason is the one that the task is refused with. A worker that never loaded is not the task's fault. */
  function end(error: Error): Promise<unknown> {
    onEnd();
    settle()?.reject(isReady ? explain(error) : error);
    clearTimeout(timer);
    return channel.kill();
  }

  return {
    isBusy: () => task !== undefined,
    ask: (question) =>
      new Promise((resolve, reject) => {
        task = { question, resolve, reject };
        channel.hold(true);
        if (isReady) send(question);
        else arm(START_DEADLINE_MS, new Error(`${label} does not start.`));
      }),
    end,
  };
}

/** Answers that arrived while this thread was busy are read before `act` is called. */
function after(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), ms);
}
