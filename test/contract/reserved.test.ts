import { expect, test } from "vitest";
import { canBeUsername, RESERVED } from "../../src/community/users/names.ts";
import { startWorld } from "../world.ts";

test("nobody can have a name that is the beginning of an address of the site", async () => {
  const world = await startWorld();
  const tree = world.app.printRoutes({ commonPrefix: false });
  await world.stop();
  const first = [...tree.matchAll(/^ {4}[├└]── ([^/\s]+)/gm)].map(([, segment = ""]) => segment);
  expect(first).toEqual(expect.arrayContaining(["api", "signin", "setup", "settings"]));
  expect(first.filter((name) => canBeUsername(name) && !RESERVED.has(name))).toEqual([]);
});
