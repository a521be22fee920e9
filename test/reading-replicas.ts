import { setTimeout as sleep } from "node:timers/promises";
import { until } from "./until.ts";
import type { World } from "./world.ts";

let turn = 0;

/** Reads a list that no cache has. */
export async function readFresh(world: World, key?: string): Promise<number> {
  return (await world.get(`/api/articles?per_page=${(turn++ % 1_000) + 1}`, { key })).status;
}

export function loadsOf({ replicas }: World): { primary: number; replicas: number[] } {
  const [primary, ...others] = replicas?.figures().map(({ loads }) => loads) ?? [];
  return { primary: primary ?? NaN, replicas: others };
}

/** How many loads each server has answered while `work` ran. */
export async function loadsDuring(world: World, work: () => Promise<unknown>) {
  const before = loadsOf(world);
  await work();
  const after = loadsOf(world);
  return {
    primary: after.primary - before.primary,
    replicas: after.replicas.map((loads, at) => loads - (before.replicas[at] ?? 0)),
  };
}

/** Reads until strangers are answered by these replicas, and by no other server. */
export async function untilReadFrom(world: World, ...wanted: number[]): Promise<void> {
  await until(async () => {
    const { primary, replicas } = await loadsDuring(world, async () => {
      for (let at = 0; at < 2 * countOf(world); at++) await readFresh(world);
    });
    const used = replicas.flatMap((loads, at) => (loads > 0 ? [at] : []));
    return primary === 0 && used.join() === wanted.join();
  });
}

const countOf = ({ replicas }: World) => replicas?.members.length ?? 0;

/** Sixteen strangers read until `work` has ended; gives the statuses that are no 200, and the longest wait. */
export async function whileReading(world: World, work: () => Promise<unknown>) {
  const failures: number[] = [];
  let slowestMs = 0;
  const over = new AbortController();
  const read = async () => {
    while (!over.signal.aborted) {
      const began = performance.now();
      const status = await readFresh(world);
      if (status !== 200) failures.push(status);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await sleep(1);
    }
  };
  const readers = Array.from({ length: 16 }, read);
  await work().finally(() => over.abort());
  await Promise.all(readers);
  return { failures, slowestMs };
}
