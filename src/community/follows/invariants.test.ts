import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { follows } from "../../../test/actors.ts";
import * as notifications from "../notifications/notifications.ts";
import { verify } from "../../operate/health/invariants.ts";

describe("inkstone doctor --verify of follows", () => {
  const world = worldForAll();
  beforeAll(async () => {
    const [ada, bob] = [await world.user({ username: "ada" }), await world.user({ username: "bob" })];
    await world.tag({ name: "wool" });
    await world.follow({ user: "bob", tag: "wool" });
    const rules = { now: new Date(), dailyLimit: undefined };
    await follows.follow(world.db, { followerId: bob.id, target: { userId: ada.id } }, rules);
    await notifications.fanOut(world.db, new Date());
  });

  test("finds nothing wrong, also while something is still to be told", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
    await follows.unfollow(world.db, { followerId: 2, target: { userId: 1 } });
    expect(faultsIn(await verify(world.db))).toEqual({});
    const rules = { now: new Date(), dailyLimit: undefined };
    await follows.follow(world.db, { followerId: 2, target: { userId: 1 } }, rules);
    await notifications.fanOut(world.db, new Date());
  });

  test.each<[check: string, says: string, damage: RawBuilder<unknown>]>([
    [
      "notifications of follows",
      "The notification 1 says that the user 2 follows the user 1, but they don't.",
      sql`delete from follows`,
    ],
    ["references", "A row of follows refers to 1 of tags, which isn't there.", sql`delete from tags`],
  ])("%s: %s", async (check, says, damage) => {
    expect((await faultsWith(world.superuser, [damage]))[check]).toContain(says);
  });
});
