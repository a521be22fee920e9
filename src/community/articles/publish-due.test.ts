import { sql } from "kysely";
import { expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { publishDue } from "./upkeep.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const DUE = new Date("2026-03-31T12:01:00Z");

const world = worldForAll({ now: NOW });

test("an article that can't be published keeps none of the others waiting, and comes out once it can", async () => {
  const author = await world.user();
  const ids: number[] = [];
  for (let index = 0; index < 25; index++) {
    ids.push((await world.article(author, { published_at: DUE.toISOString() })).id);
  }
  const [stuck = 0] = ids.slice(3);
  await sql`
    alter table published_articles add constraint broken check (article_id <> ${sql.lit(stuck)})`.execute(
    world.superuser,
  );
  const states = async () => {
    const rows = await world.db.selectFrom("articles").select(["id", "state"]).execute();
    return rows.filter(({ state }) => state !== "published").map(({ id }) => id);
  };
  await expect(publishDue(world.db, DUE)).rejects.toThrow("broken");
  expect(await states()).toEqual([stuck]);
  await expect(publishDue(world.db, DUE)).rejects.toThrow("broken");
  await sql`alter table published_articles drop constraint broken`.execute(world.superuser);
  expect(await publishDue(world.db, DUE)).toBe(1);
  expect(await states()).toEqual([]);
  const events = await world.db
    .selectFrom("events")
    .select("type")
    .where("type", "=", "article_published")
    .execute();
  expect(events).toHaveLength(25);
});

test("a held lock is waited for by the next run, not by one article after another", async () => {
  const author = await world.user();
  const { id } = await world.article(author, { published_at: DUE.toISOString() });
  for (let count = 0; count < 9; count++) await world.article(author, { published_at: DUE.toISOString() });
  await world.db.transaction().execute(async (tx) => {
    await sql`lock table published_articles in share mode`.execute(tx);
    const publishing = () => expect(publishDue(world.db, DUE)).rejects.toThrow("lock timeout");
    expect(await world.countStatements(publishing)).toBe(1);
  });
  expect(await publishDue(world.db, DUE)).toBe(10);
  world.setNow(DUE);
  expect((await world.get(`/api/articles/${id}`)).status).toBe(200);
});
