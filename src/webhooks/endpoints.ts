import type { Db } from "../db/connect.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import { timestamp } from "../text/dates.ts";
import * as users from "../users/users.ts";
import { type Attributes, failed } from "./attributes.ts";
import * as queries from "./queries.ts";
import { makeSecret, OVERLAP_MS } from "./signing.ts";

export const MAX_ENDPOINTS = 10;

/** What only the answer to a creation or rotation tells. */
export interface WithSecret {
  id: number;
  secret: string;
}

/**
 * Makes an endpoint and its secret.
 * @throws AppError invalid when its owner has one of this address or enough of them
 */
export async function create(
  tx: Db,
  { userId, attributes, now }: { userId: number; attributes: Attributes; now: Date },
): Promise<WithSecret> {
  await users.hold(tx, [userId]);
  const secret = makeSecret();
  const id = await queries.insert(tx, { ...attributes, user_id: userId, secret, created_at: now });
  if (id === undefined) throw failed("Target url has already been taken: you have an endpoint with it");
  if ((await queries.count(tx, userId)) > MAX_ENDPOINTS) {
    throw failed(`There can be at most ${MAX_ENDPOINTS} webhook endpoints per user: remove one first`);
  }
  await events.record(tx, "webhook_created", { user_id: userId, webhook_endpoint_id: id });
  return { id, secret };
}

/**
 * Deletes an endpoint with all of its deliveries.
 * @throws AppError not_found
 */
export async function remove(tx: Db, own: queries.Own): Promise<void> {
  if (!(await queries.remove(tx, own))) throw notFound();
  await events.record(tx, "webhook_removed", { user_id: own.userId, webhook_endpoint_id: own.id });
}

/** Previous secrets that sign too: the length of a header is limited. */
const MAX_PREVIOUS = 5;

/**
 * Gives an endpoint another secret and tells it. The one before signs too for a day.
 * @throws AppError not_found, invalid when it was changed too often in a day
 */
export async function rotateSecret(tx: Db, own: queries.Own, now: Date): Promise<WithSecret> {
  const { id, secret: previous } = await hold(tx, own);
  const ends = await queries.endsOfPrevious(tx, id, now);
  const [first] = ends;
  if (first && ends.length >= MAX_PREVIOUS) {
    throw invalid(
      `The secret was changed ${MAX_PREVIOUS} times within 24 hours, and all of those are still valid: change it again after ${timestamp(first)}`,
    );
  }
  const valid_until = new Date(now.getTime() + OVERLAP_MS);
  await queries.insertPrevious(tx, { endpoint_id: id, secret: previous, valid_until });
  const secret = makeSecret();
  await queries.update(tx, id, { secret });
  await events.record(tx, "webhook_secret_rotated", { user_id: own.userId, webhook_endpoint_id: id });
  return { id, secret };
}

/**
 * Locks an endpoint of a person.
 * @throws AppError not_found
 */
export async function hold(tx: Db, { id, userId }: queries.Own) {
  const endpoint = await queries.lock(tx, id);
  if (endpoint?.user_id !== userId) throw notFound();
  return endpoint;
}
