import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import type { About, Kind } from "./kinds.ts";
import * as queries from "./queries.ts";

export { lastTo, list, type MailRow, NEXT_DUE as NEXT_MAIL, summary } from "./queries.ts";

export interface NewMail<Of extends Kind> {
  kind: Of;
  /** Who reads it. */
  userId?: number;
  /** Where it goes, if not to the user's own address. */
  address?: string;
  about: About[Of];
}

/** Adds a mail, which is sent when the transaction of `db` has committed. */
export async function enqueue<Of extends Kind>(db: Db, mail: NewMail<Of>, now: Date): Promise<void> {
  await enqueueEach(mail.kind, readerOf(mail), now).execute(db);
}

/** One row for `enqueueEach`. */
export const readerOf = <Of extends Kind>({ userId, address, about }: NewMail<Of>): RawBuilder<unknown> =>
  sql`select ${userId ?? null}::int, ${address ?? null}::text, ${JSON.stringify(about)}::jsonb`;

/**
 * Adds a mail to each admin for whom none of the kind waits; it is sent an hour after the admin's last one at the
 * earliest. The transaction keeps others that do so away.
 */
export async function enqueueHourly(tx: Db, kind: Kind, now: Date): Promise<void> {
  await sql`
    insert into mails (kind, user_id, about, created_at, next_attempt_at)
    select ${kind}::text, users.id, '{}'::jsonb, ${now}::timestamptz,
      greatest(${now}::timestamptz, max(finished_at) + interval '1 hour')
    from users left join mails on mails.user_id = users.id and mails.kind = ${kind}
    where role = 'admin' and not suspended and email is not null
    group by users.id having bool_or(state = 'pending') is not true`.execute(tx);
}

/** The part of a statement that adds a mail for each row of a query: user, address, and what it is about. */
export function enqueueEach(kind: Kind, readers: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`
    insert into mails (kind, user_id, address, about, created_at, next_attempt_at)
    select ${kind}::text, user_id, address, about, ${now}::timestamptz, ${now}::timestamptz
    from (${readers}) as readers (user_id, address, about)`;
}

/**
 * Makes a mail that has failed, or waits, due now, with all its attempts ahead.
 * @throws AppError invalid for one that is sent, and for an unknown one
 */
export async function retry(db: Db, id: number, now: Date): Promise<queries.MailRow> {
  await queries.makeDue(db, id, now);
  const mail = await queries.find(db, id);
  if (mail === undefined) throw invalid(`There is no mail with the id ${id}.`);
  if (mail.state === "sent") throw invalid(`Mail ${id} is sent: only others can be sent again.`);
  return mail;
}

const KEPT_DAYS = 30;

/** Deletes mails that were finished a month ago. */
export function purge(db: Db, now: Date): Promise<void> {
  return queries.purge(db, new Date(now.getTime() - KEPT_DAYS * 86_400_000));
}
