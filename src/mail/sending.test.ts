import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { localServer, mailingIn, startMailServer } from "../../test/mail-server.ts";
import { startWorld, type World } from "../../test/world.ts";
import { finishedWrites } from "../platform/db/transaction.ts";
import { letters } from "../community/letters/letters.ts";
import * as notifications from "../community/notifications/notifications.ts";
import { notification } from "../community/notifications/view.ts";
import * as choices from "./choices.ts";
import { enqueue, purge, retry } from "./queue.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

let world: World;
let mailing: ReturnType<typeof mailingIn>;
let post: Awaited<ReturnType<typeof startMailServer>>;
let user: { id: number; username: string };
let lena: number;
let address: string;

beforeAll(async () => {
  world = await startWorld({ now: NOW });
  mailing = mailingIn(world);
  post = await startMailServer();
});
afterAll(async () => {
  await post.stop();
  await world.stop();
});
beforeEach(async () => {
  world.setNow(NOW);
  post.answerWith(() => undefined);
  post.received.length = 0;
  await world.db.deleteFrom("mails").execute();
  user = await world.user();
  lena = user.id;
  address = `${user.username}@example.com`;
  await world.db.updateTable("users").set({ email: address }).where("id", "=", lena).execute();
});

const changed = (userId = lena) => enqueue(world.db, { kind: "password_changed", userId, about: {} }, NOW);
const send = (more = {}) => mailing.send({ server: localServer(post.port), ...more });
const one = async () => (await mailing.mails()).at(-1);
const noticesOf = async (id: number) =>
  (await notifications.list(world.db, id, 10)).map((row) => notification(row));

describe("a mail", () => {
  test("is sent once, by whichever of several processes comes first", async () => {
    const writes = finishedWrites(world.db);
    for (let number = 0; number < 12; number++) await changed();
    await Promise.all([send(), send(), send()]);
    // Kept answers stay.
    expect(finishedWrites(world.db)).toBe(writes);
    const ids = post.received.map(({ mail }) => mail.messageId);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
    expect(await one()).toMatchObject({
      state: "sent",
      attempts: 1,
      reply: "250 OK: queued",
      finished_at: NOW,
    });
    await send();
    expect(post.received).toHaveLength(12);
  });

  test("that the server wants later is sent again with the same Message-ID", async () => {
    await changed();
    post.answerWith(() => [451, "4.7.1 Greylisted"]);
    await send();
    expect(await one()).toMatchObject({
      state: "pending",
      attempts: 1,
      reply: "451 4.7.1 Greylisted",
      next_attempt_at: after(1),
    });
    post.answerWith(() => undefined);
    await send();
    expect(post.received).toEqual([]);
    const { message_id: id } = await world.db
      .selectFrom("mails")
      .select("message_id")
      .executeTakeFirstOrThrow();
    world.setNow(after(1));
    await send();
    expect(post.received.map(({ mail }) => mail.messageId)).toEqual([`<${id}@ink.example>`]);
    expect(await one()).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("is tried seven times in 20 hours while the server is down, then fails", async () => {
    await changed();
    const down = await startMailServer();
    await down.stop();
    const tried = [];
    for (let minute = 0; minute <= 21 * 60; minute++) {
      world.setNow(after(minute));
      const mail = await one();
      if (mail?.next_attempt_at?.getTime() !== after(minute).getTime()) continue;
      tried.push(minute);
      await send({ server: localServer(down.port) });
    }
    expect(tried).toEqual([0, 1, 6, 36, 156, 456, 1_176]);
    expect(await one()).toMatchObject({ state: "failed", attempts: 7, finished_at: after(1_176) });
    expect((await one())?.reply).toContain("ECONNREFUSED");
    await retry(world.db, Number((await one())?.id), after(1_300));
    world.setNow(after(1_300));
    await send();
    expect(await one()).toMatchObject({ state: "sent", attempts: 1 });
  });

  test("that no server takes costs the others no attempt, and they wait a minute behind new ones", async () => {
    const down = await startMailServer();
    await down.stop();
    for (let number = 0; number < 3; number++) await changed();
    for (let pass = 0; pass < 2; pass++) await send({ server: localServer(down.port) });
    const [tried, ...others] = await mailing.mails();
    expect(tried).toMatchObject({ attempts: 1, next_attempt_at: after(1) });
    for (const other of others) expect(other).toMatchObject({ attempts: 0, next_attempt_at: after(1) });
    await enqueue(world.db, { kind: "second_factor_changed", userId: lena, about: { change: "on" } }, NOW);
    await send();
    expect(post.received.map(({ mail }) => mail.subject)).toEqual([
      "Your second factor for Inkstone was turned on",
    ]);
    world.setNow(after(1));
    await send();
    expect((await mailing.mails()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ["sent", 2],
      ["sent", 1],
      ["sent", 1],
      ["sent", 1],
    ]);
  });

  test("that the server refuses fails at once, and the next one is sent", async () => {
    post.answerWith((to) => (to === address ? [550, "5.1.1 Nobody here"] : undefined));
    await changed();
    await enqueue(
      world.db,
      { kind: "password_changed", userId: lena, address: "old@example.com", about: {} },
      NOW,
    );
    await send();
    expect((await mailing.mails()).map(({ state, attempts, reply }) => [state, attempts, reply])).toEqual([
      ["failed", 1, "550 5.1.1 Nobody here"],
      ["sent", 1, "250 OK: queued"],
    ]);
  });

  test("whose letter can't be written is tried again, and delays no other", async () => {
    await enqueue(world.db, { kind: "second_factor_changed", userId: lena, about: { change: "on" } }, NOW);
    await changed();
    const failures: unknown[] = [];
    const broken = { ...letters, second_factor_changed: () => Promise.reject(new Error("a bug")) };
    await send({ letters: broken, onFailure: (error: unknown) => failures.push(error) });
    expect(failures).toEqual([new Error("a bug")]);
    expect((await mailing.mails()).map(({ state, reply }) => [state, reply])).toEqual([
      ["pending", "The email couldn't be written."],
      ["sent", "250 OK: queued"],
    ]);
  });

  test("that a process died with is sent by another when its lease has ended", async () => {
    await changed();
    const lease = { lease: "0b7e9a52-5a0e-4f6b-9d55-0c5c2f6a7d11", attempts: 1 };
    const held = (leased_until: Date) =>
      world.db
        .updateTable("mails")
        .set({ ...lease, leased_until })
        .execute();
    await held(new Date(Date.now() + 30_000));
    await send();
    expect(post.received).toEqual([]);
    await held(new Date(Date.now() - 1_000));
    await send();
    expect(await one()).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("is gone 30 days after it was finished", async () => {
    await changed();
    await send();
    await purge(world.db, after(30 * 1_440));
    expect(await mailing.mails()).toHaveLength(1);
    await purge(world.db, after(30 * 1_440 + 1));
    expect(await mailing.mails()).toEqual([]);
  });
});

describe("where mail isn't set up, and for a user without an address", () => {
  const cases: [string, () => Promise<void>, string][] = [
    ["no server", () => mailing.send({ server: undefined }), "Mail is not set up."],
    [
      "no address",
      async () => {
        await world.db.updateTable("users").set({ email: null }).where("id", "=", lena).execute();
        await send();
      },
      "The user has no e-mail address.",
    ],
  ];

  test.each(cases)("%s: a notice about security becomes a notification", async (_, work) => {
    await changed();
    await work();
    expect([await mailing.mails(), post.received]).toEqual([[], []]);
    expect(await noticesOf(lena)).toEqual([
      {
        id: expect.any(Number),
        kind: "security",
        created_at: "2026-03-02T10:00:00Z",
        read_at: null,
        title: expect.stringMatching(
          /^The password of @\w+ on Inkstone was changed, 2 March 2026 at 10:00 UTC\. Other browsers were signed out\.$/,
        ),
        path: "/settings/sessions",
      },
    ]);
  });

  test.each(cases)("%s: a link to sign in fails, and none is made", async (_, work, reply) => {
    await enqueue(world.db, { kind: "sign_in_link", userId: lena, about: {} }, NOW);
    await work();
    expect(await one()).toMatchObject({ state: "failed", reply });
    expect(
      await world.db.selectFrom("users").select("sign_in_link").where("id", "=", lena).execute(),
    ).toEqual([{ sign_in_link: null }]);
  });
});

test("a kind that its reader has turned off isn't sent", async () => {
  const { id } = await world.webhook(user, { target_url: "https://hooks.example/a" });
  const disabled = { disabled_at: NOW, disabled_reason: "It is gone." };
  await world.db.updateTable("webhook_endpoints").set(disabled).where("id", "=", id).execute();
  const cause = () =>
    enqueue(world.db, { kind: "webhook_disabled", userId: lena, about: { webhook_endpoint_id: id } }, NOW);
  await cause();
  await choices.turn(world.db, { userId: lena, kind: "webhook_disabled" }, false);
  await send();
  expect([await mailing.mails(), post.received.length]).toEqual([[], 0]);
  await cause();
  await choices.turn(world.db, { userId: lena, kind: "webhook_disabled" }, true);
  await send();
  expect(post.received).toHaveLength(1);
});
