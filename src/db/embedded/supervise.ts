import { setTimeout as sleep } from "node:timers/promises";
import { clearLeftover } from "./orphan-cleanup.ts";
import { type Launch, type Postmaster, startPostmaster } from "./postmaster.ts";

const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** After this long PostgreSQL has recovered, and the next failure counts as the first. */
const SETTLED_MILLISECONDS = 10_000;

/** Restarts PostgreSQL whenever it ends before `stop`, with growing pauses. */
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
