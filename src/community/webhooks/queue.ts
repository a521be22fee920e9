import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { consume, type Consumed, drain } from "../../platform/events/outbox.ts";
import * as deliveries from "./delivery-queries.ts";
import { get, lock } from "./endpoints.ts";
import * as queries from "./queries.ts";
import * as view from "./view.ts";
import * as articles from "../articles/reading.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import type { Events } from "../../platform/events/events.ts";
import { timestamp } from "../../platform/text/dates.ts";
import * as users from "../users/users.ts";
import type { EventName } from "./schema.ts";

/** Events in one transaction, which costs more than each of them. */
const BATCH = 100;

export { removeQuoting } from "./delivery-queries.ts";

/**
 * Queues a delivery of each event for each endpoint that subscribes to it, and returns the number of events.
 * @throws the first of the failures, after everything else is done
 */
export function fanOut(
  db: Db,
  { baseUrl, now, signal }: { baseUrl: string; now: () => Date; signal?: AbortSignal },
): Promise<number> {
  const handle = (tx: Db, events: Event[]) => queueDeliveries(tx, events, { baseUrl, now: now() });
  return drain(consume(db, { consumer: "webhooks", handle, batch: BATCH }), { signal });
}

type Event = Consumed<"webhooks">;

async function queueDeliveries(tx: Db, events: Event[], options: ViewOptions): Promise<void> {
  const owned = events.flatMap((event) => {
    const found = dataOf(event);
    return found ? [{ event, found }] : [];
  });
  const subscribed = await queries.subscribed(
    tx,
    owned.map(({ event: { id, type }, found }) => ({ id, type, ...found.owner })),
  );
  const made: deliveries.NewDelivery[] = [];
  for (const { event, found } of owned) {
    const endpointIds = subscribed.flatMap(({ eventId, endpointId }) =>
      eventId === event.id ? [endpointId] : [],
    );
    const data = endpointIds.length > 0 ? await found.data(tx, options) : undefined;
    if (data === undefined) continue;
    const payload = payloadOf(event.type, event.created_at, data);
    for (const endpointId of endpointIds)
      made.push({ endpointId, eventId: event.id, event: event.type, payload });
  }
  await deliveries.insertAll(tx, made, options.now);
}

/**
 * Sends a delivery again, whatever came of it. A finished delivery has all its attempts ahead of it again, and keeps
 * the `webhook-id` by which receivers know it.
 */
export async function retry(
  tx: Db,
  { key, deliveryId, now }: { key: queries.EndpointKey; now: Date; deliveryId: number },
): Promise<deliveries.DeliveryRow> {
  const endpoint = await lock(tx, key);
  const delivery = await deliveries.find(tx, { endpointId: endpoint.id, id: deliveryId });
  if (!delivery) throw notFound();
  requireEnabled(endpoint);
  await deliveries.makeDue(tx, delivery.id, now);
  return (await deliveries.find(tx, { endpointId: endpoint.id, id: deliveryId })) ?? delivery;
}

/** Sends an endpoint its own attributes, so that its owner sees whether it listens. */
export async function ping(
  tx: Db,
  { key, now, baseUrl }: { key: queries.EndpointKey; now: Date; baseUrl: string },
): Promise<deliveries.DeliveryRow> {
  const endpoint = await lock(tx, key);
  requireEnabled(endpoint);
  const payload = payloadOf("ping", now, view.webhook(await get(tx, key), baseUrl));
  const id = await deliveries.insert(tx, { endpointId: endpoint.id, event: "ping", payload }, now);
  const delivery = id && (await deliveries.find(tx, { endpointId: endpoint.id, id: Number(id) }));
  // An import suspends people without waiting for their requests.
  if (!delivery) throw notFound();
  return delivery;
}

/** Records a ping that each endpoint of a user has accepted, without sending it. */
export async function recordPings(
  tx: Db,
  { userId, now, baseUrl }: { userId: number; now: Date; baseUrl: string },
): Promise<void> {
  for (const { id } of await queries.list(tx, userId)) {
    const delivery = await ping(tx, { key: { id, userId }, now, baseUrl });
    await deliveries.markDelivered(tx, delivery.id, now);
  }
}

function requireEnabled({ id, disabled_at }: { id: number; disabled_at: Date | null }): void {
  if (disabled_at === null) return;
  throw invalid(
    `The webhook endpoint is disabled: enable it first by POST /api/webhooks/${id}/enable, which also sends what it has missed`,
  );
}

const KEPT_DAYS = 30;

export async function purge(db: Db, now: Date): Promise<number> {
  await queries.removeExpiredSecrets(db, now);
  return deliveries.purge(db, new Date(now.getTime() - KEPT_DAYS * 86_400_000));
}

interface ViewOptions {
  baseUrl: string;
  now: Date;
}

/** The owner of an event: a person, or the author of an article or a comment. */
type Owner = { userId: number } | { articleId: number } | { commentId: number };

interface EventData {
  owner: Owner;
  /** The data that the owner may read now; undefined if there is none. */
  data: (db: Db, options: ViewOptions) => Promise<object | undefined>;
}

const KINDS: { [Type in EventName]: (payload: Events[Type]) => EventData | undefined } = {
  article_created: ofArticle,
  article_updated: ofArticle,
  article_published: ofArticle,
  article_unpublished: ofArticle,
  article_destroyed: ({ article_id: id, author_id, title, path }) => ({
    owner: { userId: author_id },
    data: async () => ({ id, title, path }),
  }),
  comment_created: (payload) =>
    ofComment(payload, (db, { baseUrl }) => comments.findAlone(db, payload.comment_id, baseUrl)),
  comment_deleted: (payload) => ofComment(payload, async () => undefined),
  reaction_created: ofReaction,
  follow_created: ofFollow,
};

function dataOf({ type, payload }: Consumed<"webhooks">): EventData | undefined {
  return KINDS[type](payload as never);
}

function ofArticle({ article_id: id }: { article_id: number }): EventData {
  return {
    owner: { articleId: id },
    data: (db, options) => articles.asAuthorReads(db, id, options),
  };
}

/** A comment that isn't public, or no longer, is sent as its id alone. Comments on podcasts aren't sent. */
function ofComment(payload: Events["comment_created"], read: EventData["data"]): EventData | undefined {
  if (!("article_id" in payload)) return undefined;
  const { article_id, comment_id } = payload;
  return {
    owner: { articleId: article_id },
    data: async (db, options) => ({
      ...((await read(db, options)) ?? { id_code: idCode(comment_id) }),
      article_id,
    }),
  };
}

/** A reaction that was taken back in the meantime isn't sent: no later event would take it back at the receiver. */
function ofReaction(payload: Events["reaction_created"]): EventData {
  const { reaction_id, user_id, category, article_id, comment_id = 0 } = payload;
  const target = article_id === undefined ? { id_code: idCode(comment_id) } : { article_id };
  return {
    owner: article_id === undefined ? { commentId: comment_id } : { articleId: article_id },
    async data(db, { baseUrl }) {
      if (!(await queries.hasReaction(db, reaction_id))) return undefined;
      return { category, ...target, user: await users.shownBeside(db, user_id, baseUrl) };
    },
  };
}

/** The same holds for follows. */
function ofFollow(payload: Events["follow_created"]): EventData | undefined {
  if (!("user_id" in payload)) return undefined;
  const { follower_id, user_id } = payload;
  return {
    owner: { userId: user_id },
    async data(db, { baseUrl }) {
      if (!(await queries.isFollower(db, follower_id, user_id))) return undefined;
      return users.shownBeside(db, follower_id, baseUrl);
    },
  };
}

/** The largest body that Standard Webhooks asks receivers to be ready for. */
const MAX_BYTES = 20_000;

/** The body of a delivery. A body that would be too large goes without the texts of the article, and says so. */
export function payloadOf(event: EventName | "ping", at: Date, data: object): string {
  const write = (data: object) => JSON.stringify({ type: event, timestamp: timestamp(at), data });
  const whole = write(data);
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const { body_markdown: _markdown, body_html: _html, ...rest } = data as Record<string, unknown>;
  return write({ ...rest, truncated: true });
}
