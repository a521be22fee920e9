import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import { list } from "../mail/queue.ts";
import * as sessions from "./sessions.ts";

const DAY_MS = 86_400_000;
const day = (number: number) => new Date(Date.parse("2026-03-02T10:00:00Z") + number * DAY_MS);
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NEWER_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0.2";
const SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15";

let world: World;
let lena: number;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.deleteFrom("mails").execute();
  lena = (await world.user()).id;
});

const begin = (browser: string, at: Date) =>
  sessions.begin(world.db, { userId: lena, network: "192.0.2.0/24", browser }, at);
const mails = () => list(world.db, { limit: 10 });
const seen = async () =>
  (await world.db.selectFrom("known_browsers").select("seen_at").execute()).map(({ seen_at: at }) =>
    Number(at),
  );

test("a sign-in on a browser that is new to the account causes a mail, but the first one of an account doesn't", async () => {
  await begin(FIREFOX, day(0));
  await begin(FIREFOX, day(1));
  await begin(NEWER_FIREFOX, day(2));
  expect(await mails()).toEqual([]);
  await begin(SAFARI, day(3));
  const [mail, ...more] = await world.db.selectFrom("mails").selectAll().execute();
  expect([mail?.kind, mail?.user_id, mail?.about, mail?.created_at, more]).toEqual([
    "new_sign_in",
    lena,
    { browser: SAFARI, network: "192.0.2.0/24" },
    day(3),
    [],
  ]);
});

test("a browser is new again after 90 days without use, and a session in use counts", async () => {
  await begin(FIREFOX, day(0));
  await begin(SAFARI, day(0.1));
  const token = await begin(SAFARI, day(0.2));
  await world.db.deleteFrom("mails").execute();
  // In the background: the row shows when it is done.
  for (let at = 10; at <= 80; at += 10) {
    await sessions.authenticate(world.db, token, day(at));
    await expect.poll(seen).toContain(Number(day(at)));
  }
  await begin(SAFARI, day(100));
  expect(await mails()).toEqual([]);
  await begin(FIREFOX, day(100));
  expect(await mails()).toHaveLength(1);
});

test("what is kept of browsers is a hash, for 90 days, and that of the last one", async () => {
  await begin(FIREFOX, day(0));
  await begin(SAFARI, day(1));
  const known = () =>
    sql<{
      text: string;
    }>`select known_browsers::text as text from known_browsers where user_id = ${lena}`.execute(world.db);
  expect(JSON.stringify((await known()).rows)).not.toMatch(/Firefox|Safari/i);
  await sessions.purge(world.db, day(90));
  expect((await known()).rows).toHaveLength(1);
  await sessions.purge(world.db, day(400));
  expect((await known()).rows).toHaveLength(1);
  await world.db.deleteFrom("mails").execute();
  await begin(SAFARI, day(401));
  expect(await mails()).toHaveLength(1);
});

test("a refused sign-in causes nothing", async () => {
  await begin(FIREFOX, day(0));
  await world.db.updateTable("users").set({ suspended: true }).where("id", "=", lena).execute();
  await expect(begin(SAFARI, day(1))).rejects.toThrow("suspended");
  expect(await mails()).toEqual([]);
});
