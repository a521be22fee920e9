import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { alias } from "./editing.ts";
import { verify } from "../../operate/health/invariants.ts";

describe("inkstone doctor --verify, of tags that are other names", () => {
  const world = worldForAll();
  beforeAll(async () => {
    const ada = await world.user({ username: "ada" });
    for (const name of ["wool", "looms"]) await world.tag({ name });
    await world.article(ada, { tags: ["looms"] });
    await world.listing(ada, { tags: ["looms"] });
  });

  test("finds nothing wrong with a site that works", async () => {
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  const become = sql`update tags set alias_for = (select id from tags where name = 'wool') where name = 'looms'`;

  test("names what carries another name of a tag", async () => {
    const { "other names of tags": found } = await faultsWith(world.superuser, [become]);
    for (const kind of ["article", "listing"]) {
      expect(found).toContain(
        `The ${kind} 1 carries looms, which is another name of another tag: make it a tag of its own and then an alias of wool again at /admin/tags/looms.`,
      );
    }
  });

  test("but not while that is still to be moved", async () => {
    await alias(operator(world.db), { name: "looms", of: "wool" });
    expect(faultsIn(await verify(world.db))).toEqual({});
    await sql`select graphile_worker.remove_job('refresh-articles {"alias":"looms"}')`.execute(world.db);
    expect(Object.keys(faultsIn(await verify(world.db)))).toEqual(["other names of tags"]);
  });
});
