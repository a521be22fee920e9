import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { isUnavailable } from "../db/failures.ts";

/** How a process ends: what was opened is closed, the last first, and then the exit code is known. */
export interface Shutdown {
  /** Aborted as soon as the process is told to stop. */
  signal: AbortSignal;
  /** Fulfilled with the exit code when everything is closed. */
  finished: Promise<number>;
  /** Names something to close; `force` is what happens when that takes too long. */
  defer(name: string, close: () => Promise<unknown>, force?: () => void): void;
  /** Closes everything, for one who fails while starting. */
  now(): Promise<number>;
}

interface Step {
  name: string;
  close: () => Promise<unknown>;
  force?: () => void;
}

const PATIENCE_MS = 25_000;
/** npm hands Ctrl-C on to a program that has got it already: only a later one is a second one. */
const SAME_SIGNAL_MS = 1_000;

/** Listens for signals, and for errors that nobody caught, until it is finished. */
export function createShutdown(log: FastifyBaseLogger): Shutdown {
  const steps: Step[] = [];
  const stopping = new AbortController();
  const finished = Promise.withResolvers<number>();
  let ending: Promise<number> | undefined;

  const end = (code: number): Promise<number> => {
    stopping.abort();
    return (ending ??= closeAll(steps, log).then(() => {
      release();
      finished.resolve(code);
      return code;
    }));
  };
  const release = listenToProcess({ log, isEnding: () => ending !== undefined, end });
  return {
    signal: stopping.signal,
    finished: finished.promise,
    defer: (name, close, force) => steps.push({ name, close, ...(force && { force }) }),
    now: () => (stopping.signal.aborted ? end(0) : closeQuietly()),
  };

  /** Without counting as told to stop. */
  async function closeQuietly(): Promise<number> {
    await (ending ??= closeAll(steps, log).then(() => 1));
    release();
    return 1;
  }
}

interface Ending {
  log: FastifyBaseLogger;
  isEnding: () => boolean;
  end: (code: number) => Promise<number>;
}

function listenToProcess({ log, isEnding, end }: Ending): () => void {
  let toldAt = 0;
  const onSignal = (name: NodeJS.Signals) => {
    if (!isEnding()) {
      toldAt = performance.now();
      log.info(`${name}: stopping`);
      void end(0);
    } else if (performance.now() - toldAt > SAME_SIGNAL_MS) process.exit(1);
  };
  const onError = (error: unknown) => {
    // A query that nobody waits for any more fails with its connection; the next one gets a new one.
    if (isUnavailable(error)) return log.warn({ err: error }, "the database was lost");
    log.fatal({ err: error }, "unexpected error: stopping");
    if (isEnding()) process.exit(1);
    void end(1);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onError).on("unhandledRejection", onError);
  return () => {
    process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
    process.off("uncaughtException", onError).off("unhandledRejection", onError);
  };
}

/** One after the other, since each may need those opened before it; all of them within the patience. */
async function closeAll(steps: Step[], log: FastifyBaseLogger): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { name, close, force } = step;
    const late = new AbortController();
    const patience = Math.max(500, deadline - performance.now());
    const closed = close().then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, `${name} didn't close properly`);
        return true;
      },
    );
    const isClosed = await Promise.race([
      closed,
      sleep(patience, false, { signal: late.signal }).catch(() => true),
    ]);
    late.abort();
    if (isClosed) continue;
    log.warn(`${name} didn't close in time`);
    force?.();
  }
}
