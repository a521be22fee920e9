import { setTimeout as sleep } from "node:timers/promises";
import { clearLeftover } from "./orphan-cleanup.ts";
import { type Launch, startPostmaster } from "./postmaster.ts";

const FIRST_PAUSE_MILLISECONDS = 200;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** After this long PostgreSQL has recovered, and the next failure counts as the first. */
const SETTLED_MILLISECONDS = 10_000;

/** Restarts PostgreSQL whenever it ends before `stop`: at once the first time, then after growing pauses. */
export async function supervise(launch: Launch): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const { signal } = stopping;
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
    let pause = 0;
    for (let startedAt = performance.now(); ; startedAt = performance.now()) {
      await current.exited;
      if (signal.aborted) return;
      if (performance.now() - startedAt > SETTLED_MILLISECONDS) pause = 0;
      launch.log("PostgreSQL has ended unexpectedly: it is being started again.");
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      pause = Math.min(2 * pause || FIRST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS);
      if (signal.aborted) return;
      try {
        current = await start(launch);
      } catch (error) {
        launch.log((error as Error).message);
      }
      if (signal.aborted) return current.stop();
    }
  }
}

async function start(launch: Launch) {
  await clearLeftover(launch.cluster, launch.socketDir);
  return startPostmaster(launch);
}
