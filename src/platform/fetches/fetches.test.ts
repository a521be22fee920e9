import { sql } from "kysely";
import { expect, test } from "vitest";
import { things } from "../../../test/fetching.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { unavailable } from "../errors.ts";
import { FetchFailure } from "../net/failure.ts";
import { FetchProblem } from "./fetch-problem.ts";
import * as fetches from "./fetches.ts";

const database = databaseForAll();

/** Nothing moves a due time by chance. */
const EXACT = { jitter: 0 };

const well = async () => ({});
const failing = async () => {
  throw new FetchProblem("The host responds with 404.");
};

test("what is scheduled is fetched once, and again when its time has come", async () => {
  const feeds = things(database.db, "again");
  await feeds.schedule(1, 2, 3);
  expect(await feeds.taken()).toEqual([1, 2, 3]);
  expect(await feeds.taken()).toEqual([]);
  feeds.later(53);
  expect(await feeds.taken()).toEqual([]);
  feeds.later(14);
  expect(await feeds.taken()).toEqual([1, 2, 3]);
});

test("what is not due yet, or is of another kind, is left alone", async () => {
  const feeds = things(database.db, "kind");
  const at = new Date(feeds.now().getTime() + 1);
  await fetches.schedule(database.db, "kind", [1], { at });
  await fetches.schedule(database.db, "other-kind", [2], { at: feeds.now() });
  expect(await feeds.taken()).toEqual([]);
  expect(await feeds.taken({ ids: [2] })).toEqual([]);
});

test("many that are scheduled together are spread over a time, and so are their next ones", async () => {
  const feeds = things(database.db, "spread");
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  await fetches.schedule(database.db, "spread", ids, { at: feeds.now(), withinSeconds: 3600 });
  const dueIn = async () => {
    const all = await fetches.statusOf(database.db, "spread", ids);
    return [...all.values()].map(({ due_at }) => (due_at.getTime() - feeds.now().getTime()) / 60_000);
  };
  const first = await dueIn();
  expect(Math.min(...first)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...first)).toBeLessThanOrEqual(60);
  expect(first.filter((minutes) => minutes > 30).length).toBeGreaterThan(10);
  expect(first.filter((minutes) => minutes < 30).length).toBeGreaterThan(10);

  feeds.later(60);
  expect(await feeds.round(well)).toBe(60);
  const next = await dueIn();
  expect(Math.min(...next)).toBeGreaterThanOrEqual(54);
  expect(Math.max(...next)).toBeLessThanOrEqual(66);
  expect(Math.max(...next) - Math.min(...next)).toBeGreaterThan(6);
});

test("scheduling what is scheduled changes nothing", async () => {
  const feeds = things(database.db, "twice");
  await feeds.schedule(1);
  await feeds.round(well, EXACT);
  feeds.later(1);
  await feeds.schedule(1);
  expect(await feeds.dueIn(1)).toBe(59);
});

test("a fetch gets the validators of the last version", async () => {
  const feeds = things(database.db, "versions");
  await feeds.schedule(1);
  const seen: unknown[] = [];
  const fetchWith = (answer: object) =>
    feeds.round(async ({ etag, lastModified }) => {
      seen.push([etag, lastModified]);
      return answer;
    });
  const modified = "Thu, 01 Jan 2026 00:00:00 GMT";
  for (const answer of [{ etag: '"1"', lastModified: modified }, { etag: 'W/"2"' }, { etag: "€\n" }, {}]) {
    await fetchWith(answer);
    feeds.later(70);
  }
  expect(seen).toEqual([
    [undefined, undefined],
    ['"1"', modified],
    ['W/"2"', undefined],
    [undefined, undefined],
  ]);
});

test("a failure is kept in a sentence, and each one more makes the pause longer, up to a day", async () => {
  const feeds = things(database.db, "failing");
  await feeds.schedule(1);
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    expect(await feeds.round(failing, EXACT)).toBe(1);
    const pause = await feeds.dueIn(1);
    pauses.push(pause / 60);
    feeds.later(pause);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 24, 24]);
  expect(await feeds.status(1)).toMatchObject({
    failures: 7,
    failure: "The host responds with 404.",
    succeeded_at: null,
    is_running: false,
  });

  await feeds.round(well, EXACT);
  expect(await feeds.status(1)).toMatchObject({ failures: 0, failure: null, succeeded_at: feeds.now() });
});

test("a failure leaves what was known of the last good version", async () => {
  const feeds = things(database.db, "kept");
  await feeds.schedule(1);
  await feeds.round(async () => ({ etag: '"1"' }));
  feeds.later(70);
  const succeededAt = (await feeds.status(1))?.succeeded_at;
  await feeds.round(failing);
  feeds.later(70);
  expect(await feeds.status(1)).toMatchObject({ succeeded_at: succeededAt, failures: 1 });
  let etag: string | undefined;
  await feeds.round(async (claim) => {
    ({ etag } = claim);
    return {};
  });
  expect(etag).toBe('"1"');
});

test("a failure of our own is recorded without its words, and told to the log after the others are done", async () => {
  const feeds = things(database.db, "bug");
  await feeds.schedule(1, 2);
  const bug = new TypeError("secret is not a function");
  const round = feeds.round(async ({ id }) => {
    if (id === 1) throw bug;
    await sql`select pg_sleep(0.1)`.execute(database.db);
    return {};
  });
  await expect(round).rejects.toBe(bug);
  expect(await feeds.status(2)).toMatchObject({ succeeded_at: feeds.now() });
  expect(await feeds.status(1)).toMatchObject({
    failures: 1,
    failure: "It could not be read: something went wrong in Inkstone itself.",
  });
});

test("after a failure of the database no feed is to blame, and it is fetched again a minute later", async () => {
  const feeds = things(database.db, "away");
  await feeds.schedule(1);
  const lost = new Error("Connection terminated unexpectedly");
  await expect(
    feeds.round(async () => {
      throw lost;
    }),
  ).rejects.toBe(lost);
  expect(await feeds.status(1)).toMatchObject({ failures: 0, failure: null, is_running: false });
  expect(await feeds.dueIn(1)).toBe(1);
});

test("a sentence that can't be stored is made one that can", async () => {
  const feeds = things(database.db, "sentence");
  await feeds.schedule(1);
  await feeds.round(async () => {
    throw new FetchProblem(`a\0b\ud800${"c".repeat(1000)}`);
  });
  const failure = (await feeds.status(1))?.failure;
  expect(failure).toMatch(/^ab\ufffdc+$/);
  expect(failure).toHaveLength(400);
});

test("there are always 15 minutes between two fetches, except for an operator", async () => {
  const feeds = things(database.db, "refresh");
  await feeds.schedule(1);
  await feeds.round(well, EXACT);
  feeds.later(5);
  expect(await feeds.taken()).toEqual([]);
  await feeds.refresh(1);
  expect(await feeds.taken(EXACT)).toEqual([1]);
  // A handler that asks for less doesn't get it either.
  feeds.later(60);
  await feeds.round(async () => ({ nextInSeconds: 60 }));
  expect(await feeds.dueIn(1)).toBeGreaterThanOrEqual(15);
  feeds.later(20);
  await feeds.round(async () => ({ nextInSeconds: 1e12 }), EXACT);
  expect(await feeds.dueIn(1)).toBe(30 * 24 * 60);
});

test("asking for a fetch never makes it later", async () => {
  const feeds = things(database.db, "sooner");
  await feeds.schedule(1);
  await feeds.round(async () => ({ nextInSeconds: 900 }), EXACT);
  feeds.later(20);
  await feeds.refresh(1);
  expect(await feeds.dueIn(1)).toBe(-5);
});

test("what isn't scheduled has no status and is not fetched", async () => {
  const feeds = things(database.db, "gone");
  expect(await feeds.status(1)).toBeUndefined();
  await feeds.schedule(1);
  await feeds.unschedule(1);
  expect(await feeds.status(1)).toBeUndefined();
  expect(await feeds.taken()).toEqual([]);
});

test("nothing is fetched for a row that is gone", async () => {
  const { db, superuser } = database;
  const feeds = things(db, "owned");
  await sql`create table owners (id int primary key)`.execute(superuser);
  await sql`create trigger t after delete on owners for each row execute function forget_fetch('owned')`.execute(
    superuser,
  );
  await sql`insert into owners values (1), (2)`.execute(superuser);
  await feeds.schedule(1, 2);
  await fetches.schedule(db, "not-owned", [1], { at: feeds.now() });
  await sql`delete from owners where id = 1`.execute(superuser);
  expect(await feeds.taken()).toEqual([2]);
  expect((await fetches.statusOf(db, "not-owned", [1])).size).toBe(1);
});

test.each([
  ["no name can be looked up in time", "no-look-up", () => new FetchFailure("busy", "Too much else.")],
  ["no picture can be made at the moment", "no-picture", () => unavailable()],
])("when %s it is tried again in a minute, and nothing has failed", async (_, kind, problem) => {
  const feeds = things(database.db, kind);
  await feeds.schedule(1);
  const crowdedOut = () => Promise.reject(problem());
  expect(await feeds.round(crowdedOut)).toBe(1);
  expect(await feeds.status(1)).toMatchObject({ failures: 0, failure: null, fetched_at: null });
  expect(await feeds.dueIn(1)).toBe(1);
});
