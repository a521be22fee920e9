import { setTimeout as sleep } from "node:timers/promises";
import { clearLeftover } from "./orphan-cleanup.ts";
import { type Launch, type Postmaster, startPostmaster } from "./postmaster.ts";

const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** PostgreSQL that has run this long has recovered: its next end is not part of the same trouble. */
const SETTLED_MILLISECONDS = 10_000;

/** Keeps PostgreSQL running until `stop`: when it ends by itself it is started again, ever more slowly. */
export async function supervise(launch: Launch, onRestart?: () => void): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  let current = await start(launch);
  const done = keepRunning();
  return {
    async stop() {
      stopping.abort();
      await current.stop();
      await done;
    },
  };

  async function keepRunning(): Promise<void> {
    let failures = 0;
    for (;;) {
      const startedAt = performance.now();
      await current.exited;
      if (stopping.signal.aborted) return;
      launch.log("PostgreSQL has ended unexpectedly: it is being started again.");
      if (performance.now() - startedAt > SETTLED_MILLISECONDS) failures = 0;
      const next = await startAgain(launch, failures, stopping.signal);
      if (next === undefined) return;
      failures = next.failures + 1;
      current = next.postmaster;
      if (stopping.signal.aborted) return current.stop();
      onRestart?.();
    }
  }
}

async function startAgain(launch: Launch, earlierFailures: number, stopping: AbortSignal) {
  for (let failures = earlierFailures; !stopping.aborted; failures++) {
    await pause(failures, stopping);
    if (stopping.aborted) return undefined;
    try {
      return { postmaster: await start(launch), failures };
    } catch (error) {
      launch.log((error as Error).message);
    }
  }
  return undefined;
}

async function start(launch: Launch): Promise<Postmaster> {
  await clearLeftover(launch.cluster, launch.socketDir);
  return startPostmaster(launch);
}

async function pause(failures: number, stopping: AbortSignal): Promise<void> {
  if (failures === 0) return;
  const milliseconds = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, LONGEST_PAUSE_MILLISECONDS);
  await sleep(milliseconds, undefined, { signal: stopping, ref: false }).catch(() => {});
}
