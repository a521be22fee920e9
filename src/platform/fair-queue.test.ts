import { expect, test } from "vitest";
import { createFairQueue, type FairQueue, type Waiter } from "./fair-queue.ts";

/** Puts pieces of work in, of which each lasts until it is ended, and tells what happens to them. */
function watch(queue: FairQueue) {
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  function enter(name: string, waiter: Waiter): void {
    const work = () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.set(name, resolve);
      });
    queue.run(waiter, work).catch((error: { code: string }) => refused.push(`${name} ${error.code}`));
  }
  async function end(name: string): Promise<void> {
    ends.get(name)?.();
    await settled();
  }
  return { begun, refused, enter, end };
}

/** When all that can go on by itself has done so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("of one person one piece runs at a time, in the order in which they came", async () => {
  const { begun, enter, end } = watch(createFairQueue({ size: 2 }));
  for (const name of ["a", "b", "c"]) enter(name, { key: 1 });
  await settled();
  expect(begun).toEqual(["a"]);
  enter("another's", { key: 2 });
  await end("a");
  expect(begun).toEqual(["a", "another's", "b"]);
});

test("people take turns, however much each has waiting", async () => {
  const { begun, enter, end } = watch(createFairQueue({ size: 1 }));
  for (const name of ["a1", "a2", "a3", "a4"]) enter(name, { key: 1 });
  for (const name of ["b1", "b2"]) enter(name, { key: 2 });
  enter("c1", { key: 3 });
  await settled();
  for (const name of ["a1", "b1", "c1", "a2", "b2", "a3"]) await end(name);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("the program's own work may fill all turns, takes turns with people and is never too much", async () => {
  const { begun, refused, enter, end } = watch(createFairQueue({ size: 2, limit: 1 }));
  for (const name of ["p1", "p2", "p3", "p4", "p5"]) enter(name, { key: undefined });
  enter("a1", { key: 1 });
  await settled();
  await end("p1");
  await end("p2");
  await end("p3");
  expect([begun, refused]).toEqual([["p1", "p2", "a1", "p3", "p4"], []]);
});

test("when too many wait, the key with most of them loses its last", async () => {
  const { refused, enter } = watch(createFairQueue({ size: 1, limit: 3 }));
  for (const name of ["a0", "a1", "a2", "a3", "a4"]) enter(name, { key: 1 });
  await settled();
  expect(refused).toEqual(["a4 unavailable"]);
  enter("b1", { key: 2 });
  await settled();
  expect(refused).toEqual(["a4 unavailable", "a3 unavailable"]);
});

test("who gives up while waiting is refused and takes no turn; who gives up later is left alone", async () => {
  const { begun, refused, enter, end } = watch(createFairQueue({ size: 1 }));
  const [first, second] = [new AbortController(), new AbortController()];
  enter("a", { key: 1, signal: first.signal });
  enter("b", { key: 2, signal: second.signal });
  enter("c", { key: 3 });
  await settled();
  first.abort();
  second.abort();
  await end("a");
  enter("d", { key: 4, signal: AbortSignal.abort() });
  await settled();
  expect([begun, refused]).toEqual([
    ["a", "c"],
    ["b unavailable", "d unavailable"],
  ]);
});

test("a failure gives its turn on", async () => {
  const queue = createFairQueue({ size: 1 });
  const failed = queue.run({ key: 1 }, () => Promise.reject(new Error("broken")));
  const next = queue.run({ key: 1 }, async () => "next");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

test("closing refuses what waits and what comes later, and lets what runs end", async () => {
  const queue = createFairQueue({ size: 1 });
  const { begun, refused, enter, end } = watch(queue);
  enter("a", { key: 1 });
  enter("b", { key: 1 });
  enter("c", { key: undefined });
  await settled();
  queue.close();
  enter("d", { key: 2 });
  await end("a");
  expect([begun, refused.toSorted()]).toEqual([["a"], ["b unavailable", "c unavailable", "d unavailable"]]);
});
