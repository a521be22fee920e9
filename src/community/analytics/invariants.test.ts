import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { addUpChanges } from "./roll-up.ts";
import { verify } from "../../operate/health/invariants.ts";

describe("inkstone doctor --verify of analytics", () => {
  const world = worldForAll({ now: new Date("2026-03-31T12:00:00Z") });
  beforeAll(async () => {
    const ada = await world.user({ username: "ada" });
    await world.organization({ username: "lab", members: [{ username: "ada", role: "admin" }] });
    await world.article(ada, { slug: "looms-1a", organization: "lab" });
    await world.pageViews({
      article: "looms-1a",
      on: "2026-03-01",
      user: "ada",
      count: 3,
      referrer: "a.example",
    });
    await world.reaction({ user: "ada", article: "looms-1a", category: "like" });
    await world.comment(ada, { article: "looms-1a" });
    await world.user({ username: "bob" });
    await world.follow({ user: "bob", followed_user: "ada" });
    await addUpChanges(world.db);
  });

  test("finds nothing wrong, also while something isn't folded", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
    await world.pageViews({ article: "looms-1a", on: "2026-03-02", count: 2 });
    await world.article({ username: "ada" }, { organization: "lab" });
    await world.follow({ user: "bob", organization: "lab" });
    expect(faultsIn(await verify(world.db))).toEqual({});
    await addUpChanges(world.db);
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  const OF_ARTICLE = "The figures of the article 1 on 2026-03-01 differ from what they are counted from.";
  test.each<[check: string, says: string, damage: RawBuilder<unknown>]>([
    [
      "figures of analytics",
      OF_ARTICLE,
      sql`update page_views set views = 9, signed_in_views = 9 where user_id is not null`,
    ],
    [
      "figures of analytics",
      "The figures of the user 1 on 2026-03-31 differ",
      sql`delete from analytics_days where kind = 'user'`,
    ],
    [
      "figures of analytics",
      "The figures of the organization 1 on 2026-03-01 differ",
      sql`update analytics_days set read_seconds = 7 where kind = 'organization'`,
    ],
    ["figures of analytics", "The figures of the article 1 on 2026-03-31 differ", sql`delete from reactions`],
    ["figures of analytics", "The figures of the article 1 on 2026-03-31 differ", sql`delete from comments`],
    [
      "figures of referrers",
      "The views of the article 1 are 5, by referrer and day 2.",
      sql`delete from analytics_days where kind = 'article' and referrer <> ''`,
    ],
    [
      "figures of referrers",
      "The views of the user 1 are 5, by referrer and day 0.",
      sql`delete from analytics_days where kind = 'user' and referrer is not null`,
    ],
    [
      "figures of referrers",
      "The article 1 counts 8 views in all, but has 5.",
      sql`update analytics_days set views = 8 where kind = 'article' and day is null`,
    ],
    [
      "figures of analytics",
      "The figures of the organization 1 on 2026-03-01 differ",
      sql`update articles set organization_id = null`,
    ],
  ])("%s: %s", async (check, says, damage) => {
    expect((await faultsWith(world.superuser, [damage]))[check]).toContain(says);
  });
});
