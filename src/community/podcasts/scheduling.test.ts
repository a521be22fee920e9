import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { bytesOf, type Line } from "../../../test/community-file.ts";
import { feedHost, following, podcastFeed } from "../../../test/feeds.ts";
import { importFile } from "../../operate/community-file/import.ts";
import type { Db } from "../../platform/db/connect.ts";
import { scheduleAnew } from "./schedule.ts";

const there = feedHost();
const here = following();

/** Waits until a transaction waits for a lock, of all podcasts or of one. */
async function untilALockIsWaitedFor(db: Db, { forAll }: { forAll: boolean }): Promise<void> {
  const isAll = sql`locktype = 'relation' and relation = 'podcasts'::regclass`;
  for (;;) {
    const { rows } = await sql`select from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())
      and ${forAll ? isAll : sql`not (${isAll})`}
      union all select from pg_locks where not granted and locktype = 'transactionid' and not ${forAll}`.execute(
      db,
    );
    if (rows.length > 0) return;
    await sleep(20);
  }
}

test.each([
  ["feed", "podcast", () => here.refresh()],
  ["recordings", "episode", () => here.check()],
])(
  "a podcast that gets a feed while its %s were about to be left alone is followed",
  async (_of, kind, look) => {
    const { db, context } = here.world;
    there.put("/feed", { body: podcastFeed({ items: [{ title: "One", media: there.at("/1.mp3") }] }) });
    const { id } = await here.add(there.at("/feed"));
    await db.updateTable("podcasts").set({ feed_url: null }).execute();
    here.later(2);
    const giving = await db.startTransaction().execute();
    await giving
      .updateTable("podcasts")
      .set({ feed_url: there.at("/feed") })
      .execute();
    const before = await giving.savepoint("before").execute();
    await sql`lock table podcasts in access exclusive mode`.execute(before);
    const looked = look();
    await untilALockIsWaitedFor(before, { forAll: true });
    const scheduling = await db.startTransaction().execute();
    await sql`lock table fetches in exclusive mode`.execute(scheduling);
    // What they have read by then is that there is no feed.
    await before.rollbackToSavepoint("before").execute();
    await untilALockIsWaitedFor(scheduling, { forAll: false });
    await giving.commit().execute();
    await scheduleAnew(scheduling, [id], context.now());
    await scheduling.commit().execute();
    await looked;
    const scheduled = await db.selectFrom("fetches").select("kind").where("kind", "=", kind).execute();
    expect(scheduled).toEqual([{ kind }]);
  },
);

test("an import schedules what it brings once, however many batches it has", async () => {
  const { db, superuser, services, context } = here.world;
  await sql`create table statements (at int); create function count_statement() returns trigger language plpgsql security definer as $$
    begin insert into statements values (1); return null; end $$;
    create trigger counted after insert or delete on fetches for each statement execute function count_statement()`.execute(
    superuser,
  );
  const podcast: Line = { type: "podcast", slug: "long", title: "Long", feed_url: there.at("/feed") };
  const episodes = Array.from({ length: 450 }, (_, n): Line => {
    return {
      type: "podcast_episode",
      podcast: "long",
      slug: `e${n}`,
      title: `E ${n}`,
      media_url: there.at(`/${n}`),
    };
  });
  const statements = async (lines: Line[]) => {
    await sql`truncate statements`.execute(superuser);
    await importFile(db, Readable.from([bytesOf(lines)]), {
      renderPool: services.renderPool,
      now: context.now(),
    });
    const { rows } = await sql`select from statements`.execute(superuser);
    return rows.length;
  };
  const few = await statements([podcast, ...episodes.slice(0, 1)]);
  await db.deleteFrom("podcasts").execute();
  await db.deleteFrom("handles").where("kind", "=", "podcast").execute();
  expect(await statements([podcast, ...episodes])).toBe(few);
  const scheduled = db.selectFrom("fetches").select((eb) => eb.fn.countAll<string>().as("count"));
  expect(await scheduled.where("kind", "=", "episode").executeTakeFirst()).toEqual({ count: "450" });
});
