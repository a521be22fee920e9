import { sql } from "kysely";
import { purgeRows } from "../db/batches.ts";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import { anyInt } from "../db/values.ts";

export interface Events {
  user_created: { user_id: number };
  user_updated: { user_id: number };
  user_suspended: { user_id: number };
  user_unsuspended: { user_id: number };
  user_role_changed: { user_id: number; role: string };
  user_destroyed: { user_id: number };
  /** `into`: who has the articles, comments and so on from then on. */
  user_merged: { user_id: number; into: number };
  api_key_created: { user_id: number; api_key_id: number };
  api_key_revoked: { user_id: number; api_key_id: number };
  setting_changed: { key: string };
  tag_updated: { tag_id: number };
  /** `alias_for`: the preferred tag, or null for a removed alias. */
  tag_aliased: { tag_id: number; alias_for: number | null };
  image_uploaded: { user_id: number; name: string };
  image_removed: { user_id: number; name: string };
  organization_created: { organization_id: number };
  organization_updated: { organization_id: number };
  organization_member_added: { organization_id: number; user_id: number };
  organization_member_changed: { organization_id: number; user_id: number };
  organization_member_removed: { organization_id: number; user_id: number };
  follow_created: Follow;
  follow_destroyed: Follow;
  article_created: { article_id: number; published: boolean };
  /** `published`: before or after the change. */
  article_updated: { article_id: number; published: boolean };
  /** `again`: not its first publication, here or elsewhere. */
  article_published: { article_id: number; again?: boolean };
  article_unpublished: { article_id: number };
  /** Holds what can't be looked up any more. `published`: before the deletion. */
  article_destroyed: {
    article_id: number;
    author_id: number;
    title: string;
    path: string;
    published: boolean;
  };
  article_restored: { article_id: number };
  comment_created: CommentEvent;
  comment_updated: CommentEvent;
  comment_deleted: CommentEvent;
  reaction_created: ReactionEvent;
  reaction_destroyed: ReactionEvent;
  /** `published`: before or after the change. */
  listing_created: { listing_id: number; published: boolean };
  listing_updated: { listing_id: number; published: boolean };
  webhook_created: WebhookEvent;
  webhook_removed: WebhookEvent;
  webhook_secret_rotated: WebhookEvent;
  webhook_disabled: WebhookEvent;
  webhook_enabled: WebhookEvent;
  /** An act in the log of staff. */
  staff_acted: { log_id: number };
}

type CommentEvent = { comment_id: number } & ({ article_id: number } | { episode_id: number });
type Follow = { follower_id: number } & (
  | { user_id: number }
  | { organization_id: number }
  | { tag_id: number }
);
type WebhookEvent = { user_id: number; webhook_endpoint_id: number };
interface ReactionEvent {
  reaction_id: number;
  user_id: number;
  category: string;
  article_id?: number;
  comment_id?: number;
}

export type Event = { [Type in keyof Events]: readonly [type: Type, payload: Events[Type]] }[keyof Events];

/** The events of each consumer. Webhooks offer theirs in this order. */
export const CONSUMERS = {
  webhooks: [
    "article_created",
    "article_updated",
    "article_published",
    "article_unpublished",
    "article_destroyed",
    "comment_created",
    "comment_deleted",
    "reaction_created",
    "follow_created",
  ],
  notifications: [
    "article_published",
    "article_updated",
    "article_unpublished",
    "article_destroyed",
    "comment_created",
    "comment_updated",
    "follow_created",
    "follow_destroyed",
    "staff_acted",
  ],
} as const satisfies Record<string, readonly (keyof Events)[]>;

export type Consumer = keyof typeof CONSUMERS;

export type ConsumedBy<Name extends Consumer> = (typeof CONSUMERS)[Name][number];

/** Records an event and the tasks of its consumers, in the transaction of its cause. */
export async function record<Type extends keyof Events>(tx: Db, type: Type, payload: Events[Type]) {
  await recordAll(tx, [[type, payload] as unknown as Event]);
}

/** One statement, because most transactions record an event. */
export async function recordAll(tx: Db, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(([type, payload]) => ({ type, payload, consumers: consumersOf(type, payload) }));
  await insert(tx, { rows: JSON.stringify(rows) });
}

const insert = prepare<{ rows: string }, object>(
  (value) => sql`
    with given as materialized (
      select nextval('events_id_seq') as id, * from json_to_recordset(${value("rows")}::json) as given (
        type text, payload jsonb, consumers text[]
      )
    ), recorded as (
      insert into events (id, type, payload) overriding system value select id, type, payload from given
    )
    insert into outbox (consumer, event_id)
    select consumer, id from given cross join unnest(consumers) as consumer
    where consumer <> 'webhooks' or exists (select from webhook_endpoints)`,
);

/** Events of drafts, follows of tags and organizations, and saved articles concern no consumer. */
function consumersOf(type: keyof Events, payload: object): string[] {
  if ("published" in payload && payload.published !== true) return [];
  if ("category" in payload && payload.category === "readinglist") return [];
  if ("follower_id" in payload && !("user_id" in payload)) return [];
  return Object.entries<readonly string[]>(CONSUMERS).flatMap(([consumer, types]) =>
    types.includes(type) ? [consumer] : [],
  );
}

/** A person, and the accounts that were merged into theirs in the days of which there are events. */
export async function idsOf(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive person (id) as (
      select ${userId}::int
      union
      select (payload ->> 'user_id')::int from events join person on (payload ->> 'into')::int = person.id
      where type = 'user_merged'
    )
    select id from person`.execute(db);
  return rows.map(({ id }) => id);
}

/** Removes the events that hold titles and paths: only their author's endpoints are sent these. */
export async function forgetAuthors(tx: Db, userIds: readonly number[]): Promise<void> {
  await sql`
    delete from events
    where type = 'article_destroyed' and (payload ->> 'author_id')::int = ${anyInt(userIds)}`.execute(tx);
}

export const purge = (db: Db): Promise<number> =>
  purgeRows(db, "events", sql`created_at < now() - interval '30 days'`);
