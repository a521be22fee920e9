import { sql } from "kysely";
import { operator } from "../../http/actor.ts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  after,
  deliveries,
  endpoint,
  key,
  lena,
  NOW,
  startWithEndpoint,
  world,
} from "../../../test/webhooks.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import { purge } from "./queue.ts";
import { lift, suspend } from "../moderation/acts.ts";
import { insert as enqueue } from "./delivery-queries.ts";

startWithEndpoint();

/** A delivery that has come to its end. */
async function over(state: "delivered" | "failed" | "exhausted", at = NOW): Promise<number> {
  const id = await world.delivery(endpoint);
  await world.db
    .updateTable("webhook_deliveries")
    .set({ state, attempts: 10, response_status: 500, next_attempt_at: null, finished_at: at })
    .where("id", "=", String(id))
    .execute();
  return id;
}
test("nothing is queued for a suspended owner", async () => {
  await suspend(operator(world.db), { id: lena.id });
  expect(await world.delivery(endpoint)).toBe(0);
  await lift(operator(world.db), { id: lena.id });
  expect(await world.delivery(endpoint)).toBeGreaterThan(0);
});

test("an event is queued for an endpoint once", async () => {
  const delivery = {
    endpointId: endpoint.id,
    eventId: "7",
    event: "article_published",
    payload: "{}",
  } as const;
  const queue = () => inTransaction(world.db, (tx) => enqueue(tx, delivery, NOW));
  expect([await queue(), await queue()]).toEqual([expect.any(String), undefined]);
});

test("what is over or waits is forgotten after 30 days, and what is being attempted isn't", async () => {
  const attempted = await world.delivery(endpoint);
  await world.db
    .updateTable("webhook_deliveries")
    .set({ lease: sql`gen_random_uuid()`, leased_until: sql`now() + interval '30 seconds'` })
    .execute();
  await over("delivered");
  await world.delivery(endpoint);
  const days = (count: number) => after(count * 24 * 60);
  expect(await purge(world.db, days(29.9))).toBe(0);
  expect(await purge(world.db, days(30))).toBe(2);
  expect(await deliveries()).toMatchObject([{ id: attempted }]);
});

describe("what happens is noted to be told", () => {
  const noted = async () =>
    (
      await sql<{ type: string }>`
        select type from outbox join events on events.id = event_id where consumer = 'webhooks' order by event_id`.execute(
        world.db,
      )
    ).rows.map(({ type }) => type);
  const write = async (title: string, fields: object) => {
    const body = { article: { title, body_markdown: "Words.", ...fields } };
    const reply = await world.request({ method: "POST", url: "/api/articles", key, body });
    return (reply.body as { id: number }).id;
  };
  beforeEach(async () => void (await sql`delete from outbox`.execute(world.db)));

  test("of what readers see, and not of drafts, marks, tags or imports", async () => {
    await write("Out", { published: true });
    expect(await noted()).toEqual(["article_created", "article_published"]);
    await write("Hidden", {});
    await world.article(lena, { title: "Imported" });
    await inTransaction(world.db, (tx) =>
      events.recordAll(tx, [
        ["follow_created", { follower_id: 1, tag_id: 1 }],
        ["follow_created", { follower_id: 1, user_id: 2 }],
        ["reaction_created", { reaction_id: 1, user_id: 1, category: "readinglist", article_id: 1 }],
        ["reaction_created", { reaction_id: 2, user_id: 1, category: "like", article_id: 1 }],
        ["reaction_destroyed", { reaction_id: 2, user_id: 1, category: "like", article_id: 1 }],
        ["article_updated", { article_id: 1, published: false }],
        ["article_destroyed", { article_id: 1, author_id: 1, title: "", path: "", published: false }],
        ["comment_deleted", { comment_id: 1, article_id: 1 }],
        ["user_updated", { user_id: 1 }],
      ]),
    );
    expect(await noted()).toEqual([
      "article_created",
      "article_published",
      "follow_created",
      "reaction_created",
      "comment_deleted",
    ]);
  });

  test("only where anybody has an endpoint", async () => {
    await world.db.deleteFrom("webhook_endpoints").execute();
    await write("Alone", { published: true });
    expect(await noted()).toEqual([]);
  });
});
