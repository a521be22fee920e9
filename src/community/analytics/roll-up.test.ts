import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AnotherServer, startAnother } from "../../../test/servers.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { countRows } from "../../platform/db/values.ts";
import { addUpChanges } from "./roll-up.ts";
import type { Totals } from "./routes.ts";

let world: World;
let other: AnotherServer;
let key: string;
let ada: { id: number; username: string };
let article: { id: number; slug: string };
beforeAll(async () => {
  world = await startWorld({ now: new Date("2026-03-31T12:00:00Z") });
  other = await startAnother(world);
  ada = await world.user({ username: "ada" });
  key = await world.key(ada);
  article = await world.article(ada);
});
afterAll(async () => {
  await other.stop();
  await world.stop();
});

async function views(): Promise<number> {
  const { body } = await world.get("/api/analytics/totals", { key });
  return (body as Totals).page_views.total;
}

const view = (day: number, count: number) => ({
  article: article.slug,
  on: `2026-03-${String(day).padStart(2, "0")}`,
  count,
});

function left(): Promise<number> {
  return countRows(world.db.selectFrom("analytics_changes"));
}

test("two processes at it at once count everything once", async () => {
  // The new article is an entry of its own.
  await addUpChanges(world.db);
  const before = await views();
  for (let day = 1; day <= 9; day += 1) await world.pageViews(view(day, 10));
  const folded = await Promise.all([addUpChanges(world.db), addUpChanges(other.db), addUpChanges(world.db)]);
  expect(folded.filter((count) => count > 0)).toHaveLength(1);
  expect(await left()).toBe(0);
  expect(await views()).toBe(before + 90);
});

test("who comes while another is at it leaves the work to it, and an import waits for its turn", async () => {
  const before = await views();
  await world.pageViews(view(10, 5));
  const turns: string[] = [];
  let waiting: Promise<unknown> | undefined;
  await world.db.transaction().execute(async (tx) => {
    expect(await addUpChanges(tx)).toBe(1);
    expect(await addUpChanges(other.db)).toBe(0);
    await world.pageViews(view(11, 6));
    waiting = other.db.transaction().execute(async (second) => {
      expect(await addUpChanges(second)).toBe(1);
      turns.push("second");
    });
    await untilATransactionWaits();
    turns.push("first");
  });
  await waiting;
  expect(turns).toEqual(["first", "second"]);
  expect([await left(), await views()]).toEqual([0, before + 11]);
});

async function untilATransactionWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(
      world.db,
    );
    if (rows.length > 0) return;
  }
}

test("ends when it has taken what there was, though more is noted all the time", async () => {
  await sql`
    create function note_again() returns trigger language plpgsql as $$
    begin
      insert into analytics_changes (article_id, day, comments) values (1, '2026-01-01', 1);
      return null;
    end $$`.execute(world.superuser);
  await sql`create trigger again after insert on analytics_days execute function note_again()`.execute(
    world.superuser,
  );
  await world.pageViews(view(12, 1));
  expect(await addUpChanges(world.db)).toBe(1);
  expect(await left()).toBe(1);
  await sql`drop function note_again cascade`.execute(world.superuser);
  await sql`delete from analytics_changes`.execute(world.db);
});

test("takes more changes than a batch has, of owners too, and stops when aborted", async () => {
  const before = await views();
  // The article comes and goes, and is the owner's at the end.
  await sql`insert into analytics_changes (article_id, owner_kind, owner_id, sign)
    select ${article.id}::int, 'user', ${ada.id}, case n % 2 when 0 then 1 else -1 end
    from generate_series(1, 4500) as n`.execute(world.db);
  await world.pageViews(view(14, 9));
  await sql`insert into analytics_changes (article_id, owner_kind, owner_id, sign)
    select ${article.id}::int, 'user', ${ada.id}, case n % 2 when 0 then 1 else -1 end
    from generate_series(1, 500) as n`.execute(world.db);
  expect(await addUpChanges(world.db, AbortSignal.abort())).toBe(0);
  expect(await left()).toBe(5_001);
  expect(await addUpChanges(world.db)).toBe(5_001);
  expect([await left(), await views()]).toEqual([0, before + 9]);
});

test("articles are published while the figures are summed up", async () => {
  await world.pageViews(view(12, 7));
  const summed = await world.db.transaction().execute(async (tx) => {
    const taken = await addUpChanges(tx);
    const body = { article: { title: "Meanwhile", body_markdown: "Words.", published: true } };
    const published = await world.request({ method: "POST", url: "/api/articles", key, body });
    expect(published.status).toBe(201);
    return taken;
  });
  expect(summed).toBe(1);
});
