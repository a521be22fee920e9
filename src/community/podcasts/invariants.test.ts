import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";

describe("inkstone doctor --verify, of podcasts", () => {
  const world = worldForAll();
  beforeAll(async () => {
    await world.podcast({ slug: "loomcast", feed_url: "https://loomcast.example/feed.xml" });
    await world.episode("loomcast");
    await world.podcast({ slug: "fileborne" });
    await world.episode("fileborne");
  });

  test("finds nothing wrong with a site that works", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  test("names what is not scheduled", async () => {
    expect(await faultsWith(world.superuser, [sql`delete from fetches`])).toMatchObject({
      "feeds of podcasts": expect.stringContaining("The feed of the podcast 1 is never read."),
      "recordings of podcasts": expect.stringContaining("The audio file of the episode 1 is never checked."),
    });
  });

  test("names what is looked after without need", async () => {
    const fetches = sql`insert into fetches (kind, id, due_at) values ('podcast', 2, now()), ('episode', 9, now())`;
    expect(await faultsWith(world.superuser, [fetches])).toMatchObject({
      "feeds of podcasts": expect.stringContaining("The podcast 2 is to be read, but has no feed."),
      "recordings of podcasts": expect.stringContaining("The audio file of the episode 9 is checked"),
    });
  });
});
