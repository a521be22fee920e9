import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { type AppError, invalid, notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { createErrors, readFields } from "../../platform/fields/fields.ts";
import type { Policy } from "../../platform/net/destination.ts";
import { timestamp } from "../../platform/text/dates.ts";
import { joinSentences } from "../../platform/text/sentences.ts";
import * as users from "../users/users.ts";
import * as endpointState from "./endpoint-state.ts";
import { fieldsFor, unwrap } from "./fields.ts";
import * as queries from "./queries.ts";
import { makeSecret, OVERLAP_MS } from "./signing.ts";

export const MAX_ENDPOINTS = 10;

/** An endpoint after a write, with the secret that no other answer tells. */
export interface Written {
  row: queries.EndpointRow;
  secret?: string;
}

const refusalOf = (sentences: string[]) => `Validation failed: ${joinSentences(sentences)}`;
const failed = (sentence: string): AppError => invalid(refusalOf([sentence]));

export function create(
  actor: Actor<Written>,
  { body, policy }: { body: unknown; policy: Policy },
): Promise<Written> {
  return actor.run(async (tx) => {
    const input = { source: null, target_url: null, events: null, ...unwrap(body) };
    const errors = createErrors();
    const { source = "", target_url = "", events: names = [] } = readFields(fieldsFor(policy), input, errors);
    errors.throwIfAny(refusalOf);
    const { id: user_id } = userOf(actor);
    await users.lock(tx, [user_id]);
    const secret = makeSecret();
    const endpoint = { source, target_url, events: names, user_id, secret, created_at: actor.now() };
    const id = await queries.insertIfNew(tx, endpoint);
    if (id === undefined) throw failed("Target url has already been taken: you have an endpoint with it");
    if ((await queries.count(tx, user_id)) > MAX_ENDPOINTS) {
      throw failed(`There can be at most ${MAX_ENDPOINTS} webhook endpoints per user: remove one first`);
    }
    await events.record(tx, "webhook_created", { user_id, webhook_endpoint_id: id });
    return { row: await get(tx, keyOf(actor, id)), secret };
  });
}

export const keyOf = (actor: Actor, id: number): queries.EndpointKey => ({ id, userId: userOf(actor).id });

export async function get(tx: Db, key: queries.EndpointKey): Promise<queries.EndpointRow> {
  const row = await queries.find(tx, key);
  if (!row) throw notFound();
  return row;
}

export function remove(actor: Actor<void>, id: number): Promise<void> {
  return actor.run(async (tx) => {
    const key = keyOf(actor, id);
    if (!(await queries.remove(tx, key))) throw notFound();
    await events.record(tx, "webhook_removed", { user_id: key.userId, webhook_endpoint_id: id });
  });
}

/** Previous secrets that sign too: the length of a header is limited. */
const MAX_PREVIOUS = 5;

/** Replaces the secret of an endpoint. The previous one signs too for a day. */
export function rotateSecret(actor: Actor<Written>, id: number): Promise<Written> {
  return actor.run(async (tx) => {
    const key = keyOf(actor, id);
    const { secret: previous } = await lock(tx, key);
    const ends = await queries.endsOfPrevious(tx, id, actor.now());
    const [first] = ends;
    if (first && ends.length >= MAX_PREVIOUS) {
      throw invalid(
        `The secret was changed ${MAX_PREVIOUS} times within 24 hours, and all of those are still valid: change it again after ${timestamp(first)}`,
      );
    }
    const valid_until = new Date(actor.now().getTime() + OVERLAP_MS);
    await queries.insertPrevious(tx, { endpoint_id: id, secret: previous, valid_until });
    const secret = makeSecret();
    await queries.update(tx, id, { secret });
    await events.record(tx, "webhook_secret_rotated", { user_id: key.userId, webhook_endpoint_id: id });
    return { row: await get(tx, key), secret };
  });
}

export function enable(actor: Actor<Written>, id: number): Promise<Written> {
  return actor.run(async (tx) => {
    const key = keyOf(actor, id);
    await lock(tx, key);
    await endpointState.enable(tx, id, actor.now());
    return { row: await get(tx, key) };
  });
}

export async function lock(tx: Db, { id, userId }: queries.EndpointKey) {
  const endpoint = await queries.lock(tx, id);
  if (endpoint?.user_id !== userId) throw notFound();
  return endpoint;
}
