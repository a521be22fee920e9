import { type RawBuilder, type Selectable, sql } from "kysely";
import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { dropRepeated, reassign as reassignRows, type Reassignment } from "../../platform/db/reassign.ts";
import type { Reports } from "../../platform/db/tables.ts";
import type { Slice } from "../../platform/db/values.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { checked, choice } from "../../platform/fields/fields.ts";
import * as actions from "../../platform/limits/actions.ts";
import { textField } from "../users/fields.ts";
import * as moderation from "../users/moderation.ts";
import * as users from "../users/users.ts";
import * as log from "../log/log.ts";
import * as things from "./things.ts";

export const REASONS = {
  spam: "Spam",
  harassment: "Harassment",
  rules: "Against the rules",
  other: "Something else",
} as const;

export const MAX_TEXT = 1_000;
const FIELDS = { reason: choice(REASONS), text: textField(MAX_TEXT) };
const LIMIT = { action: "report", limit: 20, windowSeconds: 86_400 };

/**
 * Reports what strangers can read to moderators, once.
 * @throws AppError invalid, not_found, rate_limited
 */
export function report(
  actor: Actor<void>,
  { kind, id, ...given }: things.ThingId & { reason: string; text: string },
): Promise<void> {
  return actor.run(async (tx) => {
    const { id: userId } = userOf(actor);
    const thing = await things.find(tx, { kind, id });
    if (!thing?.is_public) throw notFound();
    if (thing.author_id === userId) throw invalid("You can't report what is your own");
    const { reason, text } = checked(FIELDS, given);
    await users.lock(tx, [userId]);
    if (actor.isLimited) await actions.spend(tx, { ...LIMIT, userId, now: actor.now() });
    const { rows } = await sql`
      insert into reports (reporter_id, kind, thing_id, author_id, reason, text, created_at)
      values (${userId}, ${kind}, ${id}, ${thing.author_id}, ${reason}, ${text ?? ""}, ${actor.now()})
      on conflict do nothing returning id`.execute(tx);
    if (rows.length === 0) throw invalid("You have reported this already: moderators see your report");
  });
}

/** Closes the reports of a thing. Returns whether there were any. */
export function dismiss(
  actor: Actor<boolean>,
  { kind, id, reason }: things.ThingId & { reason?: string },
): Promise<boolean> {
  return actor.run(async (tx) => {
    const { rows } = await sql<{ author_id: number }>`
      select author_id from reports where kind = ${kind} and thing_id = ${id} and closed_at is null
      for update`.execute(tx);
    const userId = rows[0]?.author_id ?? null;
    await moderation.requireOver(tx, actor, userId);
    if (userId === null) return false;
    await log.record(tx, actor, { act: "dismiss_report", on: { kind, id }, userId, reason });
    return true;
  });
}

const select = (where: RawBuilder<unknown>, { limit, offset }: Slice) => sql<ReportRow>`
  select reports.*, username as reporter from reports join users on users.id = reporter_id
  where ${where} order by reports.id desc limit ${limit} offset ${offset}`;

export interface ReportRow extends Selectable<Reports> {
  reason: keyof typeof REASONS;
  reporter: string;
}

export const ofAuthor = async (db: Db, authorId: number, slice: Slice): Promise<ReportRow[]> =>
  (await select(sql`author_id = ${authorId}`, slice).execute(db)).rows;

const named = (reports: readonly { kind: string; thing_id: number }[]) => sql`
  select distinct * from unnest(${reports.map(({ kind }) => kind)}::text[], ${reports.map((each) => each.thing_id)}::int[])`;

/** The things that reports are about, each once. */
export const thingsOf = (db: Db, reports: readonly ReportRow[]) => things.list(db, named(reports));

/** The things with open reports, that with the newest report first, and these reports. */
export async function queue(db: Db, { limit, offset }: Slice) {
  const groups = await sql<{ kind: things.ThingKind; thing_id: number }>`
    select kind, thing_id from reports where closed_at is null
    group by kind, thing_id order by max(id) desc limit ${limit} offset ${offset}`.execute(db);
  const wanted = named(groups.rows);
  const open = sql`closed_at is null and (reports.kind, thing_id) in (${wanted})`;
  const { rows: reports } = await select(open, { limit: MAX_REPORTS, offset: 0 }).execute(db);
  const found = await things.list(db, wanted);
  return groups.rows.map(({ kind, thing_id: id }) => ({
    kind,
    id,
    thing: found.find((thing) => thing.kind === kind && thing.id === id),
    reports: reports.filter((report) => report.kind === kind && report.thing_id === id),
  }));
}

/** Of the things on a page, of which one may have reports of very many people. */
const MAX_REPORTS = 500;

/** Gives one person's reports, and those about them, to another. */
export async function reassign(tx: Db, people: Reassignment): Promise<void> {
  const { from, to } = people;
  await dropRepeated(tx, ["reports", "reporter_id"], { ...people, same: ["kind", "thing_id"] });
  await reassignRows(tx, ["reports", "reporter_id"], people);
  await reassignRows(tx, ["reports", "author_id"], people);
  await sql`
    delete from reports where reporter_id = author_id and author_id = ${to}
      or kind = 'user' and thing_id = ${from}`.execute(tx);
}
