import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { deliveringForEach, RULES_OF_FOLLOWS, SECOND } from "../../../test/events.ts";
import { follows } from "../../../test/actors.ts";
import { claim } from "./deliver.ts";
import { disable } from "./endpoint-state.ts";

const site = deliveringForEach();
let bob: { id: number };
let others: { id: number };
beforeEach(async () => {
  bob = await site.world.user();
  others = await site.hooks.endpoint(bob, { target_url: `${site.receiver.url}/others` });
});

/** Locks ada's endpoint until it is let go. */
async function holdEndpoint(how = sql`for no key update`) {
  let letGo = () => {};
  const released = new Promise<void>((resolve) => (letGo = resolve));
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const holding = site.world.db.transaction().execute(async (tx) => {
    await sql`select id from webhook_endpoints where id = ${site.endpoint.id} ${how}`.execute(tx);
    isHeld();
    await released;
  });
  await held;
  return async () => {
    letGo();
    await holding;
  };
}

const follow = (follower: { id: number }, followed: { id: number }) =>
  follows.follow(
    site.world.db,
    { followerId: follower.id, target: { userId: followed.id } },
    RULES_OF_FOLLOWS,
  );
const paths = () => site.receiver.received.map(({ path }) => path);

describe("while a transaction locks an endpoint", () => {
  test("what happens to others is sent, and what happened to its owner once, afterwards", async () => {
    const letGo = await holdEndpoint();
    await follow(bob, site.ada);
    await follow(site.ada, bob);
    expect(await site.hooks.fanOut()).toBe(2);
    await site.hooks.deliver();
    expect(paths()).toEqual(["/others"]);
    await letGo();
    expect(await site.hooks.fanOut()).toBe(0);
    await site.hooks.deliver();
    await site.hooks.deliver();
    expect(paths()).toEqual(["/others", "/hook?a=1"]);
  });

  test("and deletes it perhaps, what happens to others is sent, and the rest is tried again later", async () => {
    const letGo = await holdEndpoint(sql`for update`);
    await follow(bob, site.ada);
    await follow(site.ada, bob);
    await expect(site.hooks.fanOut()).rejects.toThrow("lock timeout");
    await site.hooks.deliver();
    expect(paths()).toEqual(["/others"]);
    await letGo();
    await site.world.db
      .updateTable("outbox")
      .set({ due_at: sql`now()` })
      .execute();
    await site.hooks.fanOut();
    await site.hooks.deliver();
    expect(paths()).toEqual(["/others", "/hook?a=1"]);
  });

  test("slots are for endpoints without a lock", async () => {
    await site.queue();
    site.pass(SECOND);
    await site.queue(others);
    const letGo = await holdEndpoint();
    const claimed = await claim(site.world.db, { all: 1, failing: 1 }, site.now);
    expect(claimed.map(({ endpoint_id }) => endpoint_id)).toEqual([others.id]);
    await letGo();
  });
});

test("an endpoint that is disabled while something is queued for it isn't sent that", async () => {
  const letGo = await holdEndpoint();
  await follow(bob, site.ada);
  await site.hooks.fanOut();
  await letGo();
  await site.world.db.transaction().execute((tx) => disable(tx, site.endpoint.id, "Because.", site.now));
  await site.hooks.deliver();
  expect([paths(), await site.hooks.shown(site.endpoint)]).toMatchObject([[], [{ state: "failed" }]]);
});
