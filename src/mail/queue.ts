import { type RawBuilder, sql } from "kysely";
import { purgeRows } from "../platform/db/batches.ts";
import type { Db } from "../platform/db/connect.ts";
import { beginLease, leasesOf } from "../platform/db/lease.ts";
import { invalid } from "../platform/errors.ts";
import type { About, Kind } from "./kinds.ts";

export interface NewMail<Of extends Kind> {
  kind: Of;
  userId?: number;
  /** The recipient, if not the user's own address. */
  address?: string;
  about: About[Of];
}

/** Adds an email, which is sent when the transaction of `db` has committed. */
export async function enqueue<Of extends Kind>(db: Db, mail: NewMail<Of>, now: Date): Promise<void> {
  await enqueueEach(mail.kind, readerOf(mail), now).execute(db);
}

/** One row for `enqueueEach`. */
export const readerOf = <Of extends Kind>({ userId, address, about }: NewMail<Of>): RawBuilder<unknown> =>
  sql`select ${userId ?? null}::int, ${address ?? null}::text, ${JSON.stringify(about)}::jsonb`;

/** Adds an email to each admin for whom none waits, an hour after the last one at the earliest. */
export async function enqueueHourly(tx: Db, kind: Kind, now: Date): Promise<void> {
  await sql`
    insert into mails (kind, user_id, about, created_at, next_attempt_at)
    select ${kind}::text, users.id, '{}'::jsonb, ${now}::timestamptz,
      greatest(${now}::timestamptz, max(finished_at) + interval '1 hour')
    from users left join mails on mails.user_id = users.id and mails.kind = ${kind}
    where role = 'admin' and not suspended and email is not null
    group by users.id having bool_or(state = 'pending') is not true`.execute(tx);
}

/** The part of a statement that adds an email for each row of a query: user, address, and what it is about. */
export function enqueueEach(kind: Kind, readers: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`
    insert into mails (kind, user_id, address, about, created_at, next_attempt_at)
    select ${kind}::text, user_id, address, about, ${now}::timestamptz, ${now}::timestamptz
    from (${readers}) as readers (user_id, address, about)`;
}

/** An email with the lease of the process that sends it. */
export interface Claimed {
  id: string;
  message_id: string;
  kind: string;
  user_id: number | null;
  /** Empty for an address without an account. */
  username: string;
  /** Null for a user who has none. */
  address: string | null;
  about: object;
  /** Includes the one that it was claimed for. */
  attempts: number;
  lease: string;
  created_at: Date;
}

export const leases = leasesOf("mails", { due: "next_attempt_at", where: sql`state = 'pending'` });

/** Sending an email takes half of it at most. */
const LEASE_SECONDS = 60;

/** Leases the next email. The attempt counts from here on, also when its process dies. */
export async function claim(db: Db, now: Date): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update mails set ${beginLease(LEASE_SECONDS)}, attempts = attempts + 1 where id = ${leases.first(now)}
    returning id, message_id, kind, user_id, about, attempts, lease, created_at,
      coalesce((select username from users where users.id = user_id), '') as username,
      coalesce(address, (select email from users where users.id = user_id)) as address`.execute(db);
  return rows[0];
}

/** Postpones the emails that are due and that no process sends; no attempt counts for it. */
export async function postponeDue(db: Db, now: Date, until: Date): Promise<void> {
  await sql`update mails set next_attempt_at = ${until} where ${leases.isDue(now)}`.execute(db);
}

/** Removes an email that isn't sent; false when another process has it. */
export async function remove(db: Db, mail: Claimed): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("mails").where(leases.isHeldBy(mail)).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The failed emails, newest first. */
export function listFailed(db: Db, limit: number) {
  return db
    .selectFrom("mails")
    .leftJoin("users", "users.id", "user_id")
    .select(["mails.id", "mails.kind", "username as user", "mails.address", "mails.reply"])
    .where("state", "=", "failed")
    .orderBy("mails.id", "desc")
    .limit(limit)
    .execute();
}

/** The last email to a user that was finished: to the user's own address, or to another one. */
export async function lastTo(db: Db, userId: number, address: string | null = null) {
  const { rows } = await sql<{ state: string; reply: string | null }>`
    select state, reply from mails
    where user_id = ${userId} and address is not distinct from ${address} and state <> 'pending'
    order by finished_at desc, id desc limit 1`.execute(db);
  return rows[0];
}

export interface Summary {
  pending: number;
  /** The pending ones that were tried already. */
  postponed: number;
  failed: number;
  sent_at: Date | null;
  failed_at: Date | null;
  /** The reply to the last one that has failed or is postponed. */
  reply: string | null;
}

export async function summary(db: Db): Promise<Summary> {
  const { rows } = await sql<Summary>`
    select count(*) filter (where state = 'pending')::int as pending,
      count(*) filter (where state = 'pending' and reply is not null)::int as postponed,
      count(*) filter (where state = 'failed')::int as failed,
      max(finished_at) filter (where state = 'sent') as sent_at,
      max(finished_at) filter (where state = 'failed') as failed_at,
      (
        select reply from mails where state <> 'sent' and reply is not null
        order by coalesce(finished_at, now()) desc, id desc limit 1
      ) as reply
    from mails`.execute(db);
  return rows[0] as Summary;
}

/** Makes a failed email due now, with all its attempts ahead. @throws AppError invalid for one that hasn't failed */
export async function retry(db: Db, id: number, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`
    update mails set state = 'pending', attempts = 0, next_attempt_at = ${now}, finished_at = null
    where id = ${id} and state = 'failed'`.execute(db);
  if (numAffectedRows !== 1n) throw invalid(`There is no failed email with the id ${id}.`);
}

export async function discard(db: Db, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from mails where id = ${id} and state = 'failed'`.execute(db);
  return numAffectedRows === 1n;
}

const KEPT_DAYS = 30;

export async function purge(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await purgeRows(db, "mails", sql`state <> 'pending' and finished_at < ${before}`);
}
