import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

function gate() {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

test("runs no more at once than it has turns, in the order in which they came", async () => {
  const turns = createTurns(2);
  const gates = Array.from({ length: 5 }, gate);
  const begun: number[] = [];
  const all = gates.map(({ passed }, index) =>
    turns.take(async () => {
      begun.push(index);
      await passed;
      return index;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  gates[1]?.open();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
});

test("a failure gives its turn on", async () => {
  const turns = createTurns(1);
  await expect(turns.take(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await turns.take(async () => "next")).toBe("next");
});

test("whoever waits too long is refused, and doesn't take a turn from others", async () => {
  const turns = createTurns(1, 10);
  const { open, passed } = gate();
  const first = turns.take(() => passed);
  await expect(turns.take(async () => "late")).rejects.toMatchObject({ code: "unavailable" });
  open();
  await first;
  expect(await turns.take(async () => "next")).toBe("next");
});
