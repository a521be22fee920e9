import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { isUnavailable } from "../../platform/db/failures.ts";

/** The stages in the order of closing: first sources of work, last the parts that others need. */
const STAGES = ["http", "worker", "net", "database", "engine", "renderer", "feed reader", "images"] as const;
type Stage = (typeof STAGES)[number];

export type Shutdown = ReturnType<typeof createShutdown>;

interface Step {
  stage: Stage;
  close: () => Promise<unknown>;
  force?: (() => void) | undefined;
}

const PATIENCE_MS = 25_000;

/** A worker needs less than its parent, which ends it then. */
const WORKER_PATIENCE_MS = 20_000;

interface Manner {
  drainMs?: number;
  /** A terminal and a supervisor may signal all processes: a worker leaves that to its parent. */
  isWorker?: boolean;
}

export function createShutdown(log: FastifyBaseLogger, { drainMs = 0, isWorker = false }: Manner = {}) {
  const steps: Step[] = [];
  const stopping = new AbortController();
  let exitCode: number | undefined;
  let closing = Promise.resolve();
  let finish: (code: number) => void;
  const finished = new Promise<number>((resolve) => (finish = resolve));

  const end = (code: number): Promise<void> => {
    exitCode ??= code;
    stopping.abort();
    closing = closing
      .then(() => closeAll(steps, log, isWorker ? WORKER_PATIENCE_MS : PATIENCE_MS))
      .then(() => finish(exitCode ?? code));
    return closing;
  };
  const stop = (): Promise<void> => {
    closing = closing.then(() => sleep(drainMs));
    return end(0);
  };
  listenToProcess(log, { stopping: stopping.signal, stop, end });
  if (isWorker) for (const name of SIGNALS) process.removeAllListeners(name).on(name, ignore);
  return {
    signal: stopping.signal,
    finished,
    defer(stage: Stage, close: Step["close"], force?: Step["force"]): void {
      steps.push({ stage, close, force });
    },
    stop,
    end,
  };
}

/** Returns the exit code when all is closed. Fails with `start`, unless that failed because the process was stopped. */
export async function runUntilStopped(shutdown: Shutdown, start: () => Promise<void>): Promise<number> {
  try {
    await start();
  } catch (error) {
    const isFailure = !shutdown.signal.aborted;
    await shutdown.end(1);
    if (isFailure) throw error;
  }
  const code = await shutdown.finished;
  await shutdown.end(code);
  return code;
}

/** npm passes Ctrl-C on a second time. */
const SAME_SIGNAL_MS = 1_000;

interface Ends {
  stopping: AbortSignal;
  stop: () => Promise<void>;
  end: (code: number) => Promise<void>;
}

function listenToProcess(log: FastifyBaseLogger, { stopping, stop, end }: Ends): void {
  let toldAt = 0;
  const onSignal = (name: NodeJS.Signals) => {
    if (stopping.aborted) {
      if (performance.now() - toldAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    toldAt = performance.now();
    log.info(`${name}: stopping`);
    void stop();
  };
  const onError = (error: unknown) => {
    if (isUnavailable(error)) return log.warn({ err: error }, "the database was lost");
    log.fatal({ err: error }, "unexpected error: stopping");
    if (stopping.aborted) process.exit(1);
    void end(1);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onError).on("unhandledRejection", onError);
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const ignore = () => {};

async function closeAll(steps: Step[], log: FastifyBaseLogger, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const rank = ({ stage }: Step) => STAGES.indexOf(stage);
  const inOrder = steps.splice(0).toSorted((one, other) => rank(one) - rank(other));
  for (const { stage, close, force } of inOrder) {
    const closing = close().catch((error: unknown) =>
      log.warn({ err: error }, `${stage} didn't close properly`),
    );
    const patience = new AbortController();
    const late = sleep(Math.max(500, deadline - performance.now()), "late", patience).catch(() => {});
    const isLate = (await Promise.race([closing, late])) === "late";
    patience.abort();
    if (!isLate) continue;
    log.warn(`${stage} didn't close in time`);
    force?.();
  }
}
