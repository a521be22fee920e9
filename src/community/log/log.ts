import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import {
  areValues,
  type Cut,
  type CursorFormat,
  decoded,
  encodeCursor,
  type Part,
  toPart,
} from "../../http/pages.ts";
import type { Db } from "../../platform/db/connect.ts";
import { reassign as reassignRows, type Reassignment } from "../../platform/db/reassign.ts";
import { anyInt } from "../../platform/db/values.ts";
import * as events from "../../platform/events/events.ts";

/** The acts of staff. Pages and tests are made by this list. */
export const ACTS = [
  "dismiss_report",
  "unpublish_article",
  "delete_article",
  "restore_article",
  "hide_comment",
  "show_comment",
  "delete_comment",
  "unpublish_listing",
  "restore_listing",
  "suspend_user",
  "lift_suspension",
  "mark_spam",
  "unmark_spam",
  "unpublish_user",
  "note_user",
  "change_role",
  "edit_user",
  "delete_user",
  "merge_user",
  "make_sign_in_link",
  "end_sessions",
  "turn_factor_off",
  "export_user",
  "retry_failure",
  "discard_failure",
  "edit_tag",
  "alias_tag",
  "remove_alias",
  "create_organization",
  "edit_organization",
  "add_member",
  "remove_member",
  "change_setting",
] as const;
export type Act = (typeof ACTS)[number];

/** Acts against a person or what they wrote. */
export const MEASURES: readonly Act[] = [
  "unpublish_article",
  "delete_article",
  "hide_comment",
  "delete_comment",
  "unpublish_listing",
  "suspend_user",
  "mark_spam",
  "unpublish_user",
];
/** Those of them on all that a person wrote. */
const WHOLE: readonly Act[] = ["mark_spam", "unpublish_user"];

export type Kind = "article" | "comment" | "listing" | "user" | "tag" | "organization" | "setting" | "site";

export interface Entry {
  act: Act;
  /** `name` is for what has no row. */
  on: { kind: Kind; id?: number; name?: string };
  /** The person whom it concerns, when it isn't the author. */
  userId?: number | null;
  /** More than the name of the act says, such as the new role. */
  detail?: string | undefined;
  reason?: string | null | undefined;
}

type Label = { name: string; user_id: number | null };

/** A name that stays readable when the thing is gone, and the person whom acts on it concern. */
const LABELS: Partial<Record<Kind, RawBuilder<unknown>>> = {
  article: sql`select title as name, author_id as user_id from articles`,
  comment: sql`select left(body_markdown, 80) as name, author_id as user_id from comments`,
  listing: sql`select title as name, author_id as user_id from listings`,
  user: sql`select '@' || username as name, id as user_id from users`,
  tag: sql`select '#' || name as name, null as user_id from tags`,
  organization: sql`select '@' || username as name, null as user_id from organizations`,
};

/** Writes an act of staff in its transaction. A measure closes the reports of what it is on. It checks nothing. */
export async function record(
  tx: Db,
  actor: Pick<Actor, "by" | "user" | "now">,
  { act, on: { kind, id, name = "" }, userId, detail = "", reason = "" }: Entry,
): Promise<void> {
  const by = actor.user ? "user" : actor.by === "job" ? "job" : "operator";
  const label = LABELS[kind];
  const found = label && (await sql<Label>`${label} where id = ${id}`.execute(tx)).rows[0];
  const { rows } = await sql<{ id: string }>`
    with closed as (
      update reports set closed_at = ${actor.now()}
      where closed_at is null and ${act === "dismiss_report" || MEASURES.includes(act)}
        and (kind = ${kind} and thing_id = ${id ?? 0} or author_id = ${(WHOLE.includes(act) && id) || 0})
    )
    insert into staff_log (created_at, actor_kind, actor_id, act, on_kind, on_id, on_name, user_id, detail, reason)
    values (${actor.now()}, ${by}, ${actor.user?.id ?? null}, ${act}, ${kind}, ${id ?? null}, ${found?.name ?? name},
      ${userId ?? found?.user_id ?? null}, ${detail || null}, ${reason?.trim() || null})
    returning id`.execute(tx);
  await events.record(tx, "staff_acted", { log_id: Number(rows[0]?.id) });
}

const select = (db: Db) =>
  db
    .selectFrom("staff_log")
    .leftJoin("users as actor", "actor.id", "actor_id")
    .leftJoin("users", "users.id", "user_id")
    .selectAll("staff_log")
    .select(["actor.username as actor", "users.username as user"]);

export type LogRow = Awaited<ReturnType<typeof list>>[number];

export const find = (db: Db, id: number) =>
  select(db).where("staff_log.id", "=", String(id)).executeTakeFirst();

interface Filter {
  act?: Act | undefined;
  userId?: number | undefined;
}

/** Newest first. */
export const list = (
  db: Db,
  { limit, after, act, userId }: Filter & { limit: number; after?: number | undefined },
) =>
  select(db)
    .$if(act !== undefined, (query) => query.where("act", "=", act ?? ""))
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .$if(after !== undefined, (query) => query.where("staff_log.id", "<", String(after)))
    .orderBy("staff_log.id", "desc")
    .limit(limit)
    .execute();

const NEWEST: CursorFormat<number> = {
  name: "log",
  toValues: (id) => [id],
  toKey: (values) => (areValues(values, ["int"]) ? Number(values[0]) : undefined),
};

export async function pageOf(db: Db, filter: Filter, cut: Cut): Promise<Part<LogRow>> {
  const { after, limit } = decoded(cut, NEWEST);
  const rows = await list(db, { ...filter, after, limit: limit + 1 });
  return toPart(rows, limit, () => ({ cursor: encodeCursor(NEWEST, Number(rows[limit - 1]?.id)) }));
}

/** Takes the names and reasons of what concerns a person and organizations that are deleted. */
export async function anonymize(
  tx: Db,
  { userId, organizationIds = [] }: { userId: number; organizationIds?: readonly number[] },
): Promise<void> {
  const forget = sql`update staff_log set on_name = '', reason = null, detail = null`;
  await sql`${forget} where user_id = ${userId}`.execute(tx);
  if (organizationIds.length > 0)
    await sql`${forget} where on_kind = 'organization' and on_id = ${anyInt(organizationIds)}`.execute(tx);
}

export async function reassign(tx: Db, people: Reassignment): Promise<void> {
  await reassignRows(tx, ["staff_log", "actor_id"], people);
  await reassignRows(tx, ["staff_log", "user_id"], people);
}
