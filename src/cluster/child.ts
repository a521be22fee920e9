import cluster, { type Worker } from "node:cluster";
import type { Channel } from "../channel.ts";
import { linkTo } from "./link.ts";
import type { Failed, Notice, Ready } from "./messages.ts";

export type WorkerRole = "web" | "jobs";

export type Child = ReturnType<typeof forkChild>;

/** A worker that neither becomes ready nor waits for its database is given up after this time. */
export const PATIENCE_MS = 60_000;

/** A worker says why it can't start. */
export class CannotStart extends Error {}

/** Starts a worker with the program that is on the disk now. */
export function forkChild(role: WorkerRole) {
  const worker = cluster.fork({ ROLE: role });
  const channel = linkTo(worker.process);
  const ended = endOf(worker);
  closeUnreceived(worker, ended);
  const ready = readinessOf(channel, ended);
  // Handled where it is waited for.
  ready.catch(() => {});
  return {
    role,
    channel,
    startedAt: performance.now(),
    pid: worker.process.pid,
    /** Rejects with the reason if it ends or isn't ready in time. */
    ready,
    /** Tells how it ended. */
    ended,
    kill: () => void worker.process.kill("SIGKILL"),
  };
}

/**
 * Node's cluster hands a worker one connection at a time, and forgets it if the worker ends before it has it: the client
 * would wait in vain.
 */
function closeUnreceived({ process }: Worker, ended: Promise<unknown>): void {
  let handed: { close: () => void } | undefined;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  process.send = (...given: unknown[]) => {
    const [message, handle] = given as [{ act?: string }, typeof handed];
    if (message.act === "newconn") handed = handle;
    return send(...given);
  };
  // Before the cluster hears it and hands over the next one.
  process.prependListener("internalMessage", ({ ack }: { ack?: number }) => {
    if (ack !== undefined) handed = undefined;
  });
  void ended.then(() => handed?.close());
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
