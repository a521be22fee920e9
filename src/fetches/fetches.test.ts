import { afterAll, beforeAll, expect, test } from "vitest";
import { type World, startWorld } from "../../test/world.ts";
import { fetchDue } from "./due.ts";
import * as fetches from "./fetches.ts";

let world: World;
beforeAll(async () => void (world = await startWorld({ now: new Date("2026-01-01T00:00:00Z") })));
afterAll(() => world.stop());

test("what is due is fetched once, and again when its time has come", async () => {
  await fetches.schedule(world.db, "thing", [1, 2, 3], { at: world.context.now() });
  const seen: number[] = [];
  const round = () =>
    fetchDue({
      db: world.db,
      kind: "thing",
      now: world.context.now,
      everySeconds: 3600,
      handle: async ({ id }) => {
        seen.push(id);
        return { etag: '"a"' };
      },
    });
  expect(await round()).toBe(3);
  expect(await round()).toBe(0);
  expect(seen.toSorted()).toEqual([1, 2, 3]);
});
