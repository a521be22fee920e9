import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { invalid } from "../../platform/errors.ts";
import type { Channel, Failed, Message, Notice, Ready, Start } from "./messages.ts";
import { linkTo } from "./messages.ts";

export type WorkerRole = "web" | "jobs";

type Child = ReturnType<typeof forkChild>;

/** A worker that neither becomes ready nor waits for its database is given up after this time. */
const PATIENCE_MS = 60_000;

class CannotStart extends Error {}

export interface WorkersOptions {
  roles: readonly WorkerRole[];
  connections: number;
  log: (level: "info" | "warn" | "error", line: string) => void;
  onWorker: (channel: Channel) => void;
}

interface Place {
  role: WorkerRole;
  child?: Child | undefined;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** The end of a worker that ran this long counts as the first one. */
const SETTLED_MS = 10_000;
/** Longer than a worker takes to stop. */
const DRAIN_MS = 23_000;
const NONE_READY = `No worker became ready within ${PATIENCE_MS / 1_000} seconds: the log says why.`;

cluster.schedulingPolicy = cluster.SCHED_RR;

/** Starts workers, and another for each one that ends before `stop`. */
export class Workers {
  #options: WorkersOptions;
  #places: Place[];
  #children = new Set<Child>();
  #stopping = new AbortController();
  #isOpen = false;
  #onStart: (child: Child) => void = () => {};
  #reloading = Promise.resolve();

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#places = options.roles.map((role) => ({ role }));
  }

  /** Rejects with the reason why the first worker can't start, or if none becomes ready. */
  async open(): Promise<Ready> {
    const [first, ...others] = this.#places as [Place, ...Place[]];
    let timer: NodeJS.Timeout | undefined;
    const opening = new Promise<Ready>((resolve, reject) => {
      timer = setTimeout(() => reject(invalid(NONE_READY)), PATIENCE_MS);
      this.#onStart = ({ channel, ready }) => {
        channel.onMessage<Notice>("waiting", () => void timer?.refresh());
        ready.then(resolve, () => {});
      };
      this.#keep(first).then(() => reject(this.#stopping.signal.reason as Error), reject);
    });
    const ready = await opening.finally(() => clearTimeout(timer));
    this.#isOpen = true;
    this.#onStart = () => {};
    for (const place of others) void this.#keep(place);
    return ready;
  }

  /** Replaces the workers one by one with ones of the program on the disk. */
  reload(): void {
    this.#reloading = this.#reloading.then(() => this.#replaceAll());
  }

  tell(message: Message): void {
    for (const { channel } of this.#children) channel.send(message);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#children].map(drain));
  }

  kill(): void {
    for (const child of this.#children) child.kill();
  }

  #start(role: WorkerRole): Child {
    const child = forkChild(role);
    const { channel } = child;
    this.#children.add(child);
    void child.ended.then(() => this.#children.delete(child));
    channel.onMessage<Notice>("joined", () => {
      const { connections } = this.#options;
      channel.send<Start>({ kind: "start", isFirst: !this.#isOpen, connections });
      this.#options.onWorker(channel);
      if (this.#stopping.signal.aborted) channel.send<Notice>({ kind: "stop" });
    });
    this.#onStart(child);
    return child;
  }

  /** Keeps a worker in a place, where `#replace` may put another. */
  async #keep(place: Place): Promise<void> {
    const { signal } = this.#stopping;
    for (let pause = 0; !signal.aborted;) {
      const child = (place.child ??= this.#start(place.role));
      await child.ready.catch((error: Error) => this.#giveUp(child, error));
      const how = await child.ended;
      if (signal.aborted) return;
      if (place.child !== child) continue;
      this.#options.log("warn", `The ${nameOf(child)} has ended (${how}): another one is started.`);
      if (performance.now() - child.startedAt > SETTLED_MS) pause = 0;
      await sleep(pause, undefined, { signal }).catch(() => {});
      pause = Math.min(2 * pause || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      if (place.child === child) place.child = undefined;
    }
  }

  /** Throws what no other worker could mend either. */
  #giveUp(child: Child, reason: Error): void {
    if (!this.#isOpen && reason instanceof CannotStart) throw invalid(reason.message);
    if (!this.#children.has(child) || this.#stopping.signal.aborted) return;
    this.#options.log("error", `The ${nameOf(child)} can't start: ${reason.message}`);
    child.kill();
  }

  async #replaceAll(): Promise<void> {
    const { log } = this.#options;
    if (!this.#isOpen) return log("warn", "SIGHUP: the workers aren't ready yet, and stay.");
    log("info", "SIGHUP: replacing the workers.");
    for (const place of this.#places) {
      const fault = await this.#replace(place).catch((error: Error) => error);
      if (this.#stopping.signal.aborted) return;
      if (fault) return log("error", `The new worker can't start, so the old ones stay: ${fault.message}`);
    }
    log("info", "The workers are replaced.");
  }

  async #replace(place: Place): Promise<void> {
    const next = this.#start(place.role);
    await next.ready.catch((error: Error) => {
      next.kill();
      throw error;
    });
    const old = place.child;
    place.child = next;
    if (old !== undefined) await drain(old);
  }
}

const nameOf = ({ role, pid }: Child) => `${role} worker with the pid ${pid}`;

async function drain(child: Child): Promise<void> {
  child.channel.send<Notice>({ kind: "stop" });
  const patience = setTimeout(child.kill, DRAIN_MS);
  await child.ended;
  clearTimeout(patience);
}

/** Starts a worker with the program that is on the disk now. */
function forkChild(role: WorkerRole) {
  const worker = cluster.fork({ ROLE: role });
  const channel = linkTo(worker.process);
  const ended = endOf(worker);
  const ready = readinessOf(channel, ended);
  // Handled where it is waited for.
  ready.catch(() => {});
  return {
    role,
    channel,
    startedAt: performance.now(),
    pid: worker.process.pid,
    ready,
    ended,
    kill: () => void worker.process.kill("SIGKILL"),
  };
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once("exit", (code: number | null, signal: string | null) =>
      resolve(signal ?? `exit code ${code}`),
    );
    worker.on("error", (error: Error) => worker.process.pid ?? resolve(error.message));
  });
}

function readinessOf(channel: Channel, ended: Promise<string>): Promise<Ready> {
  const waiting = new AbortController();
  return new Promise<Ready>((resolve, reject) => {
    const late = () => reject(new Error(`it wasn't ready within ${PATIENCE_MS / 1_000} seconds`));
    const timer = setTimeout(late, PATIENCE_MS);
    waiting.signal.addEventListener("abort", () => clearTimeout(timer));
    channel.onMessage<Notice>("waiting", () => void timer.refresh());
    channel.onMessage<Failed>("failed", ({ sentence }) => reject(new CannotStart(sentence)));
    channel.onMessage<Ready>("ready", resolve);
    void ended.then((how) => reject(new Error(how)));
  }).finally(() => waiting.abort());
}
