import { sql } from "kysely";
import { expect, test } from "vitest";
import { faultsIn, faultsWith } from "../../../test/health.ts";
import { importing, rss } from "../../../test/fetching.ts";
import { verify } from "../../operate/health/invariants.ts";

const site = importing();

test("inkstone doctor --verify names feeds that are not scheduled", async () => {
  const author = await site.author();
  site.says(rss([{ title: "A post", guid: "1" }]));
  const { id } = await site.add(author, { publish: true });
  const { db, superuser } = site.world;
  expect(faultsIn(await verify(db))).toEqual({});
  expect((await faultsWith(superuser, [sql`delete from fetches`]))["feeds"]).toContain(
    `The feed ${id} is never read: run \`inkstone feed refresh ${id}\`.`,
  );
});
