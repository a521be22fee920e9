import { sql, type Updateable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Mails } from "../db/tables.ts";

/** A mail with the lease of the process that sends it. */
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

export const NEXT_DUE = sql<Date | null>`(select min(next_attempt_at) from mails where state = 'pending')`;

/**
 * Leases the first mail that is due. The attempt counts from here on, also when its process dies: then another one
 * takes the mail when the lease ends, by the database's clock.
 */
export async function claim(db: Db, now: Date): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update mails set lease = gen_random_uuid(), leased_until = now() + interval '60 seconds', attempts = attempts + 1
    where id = (
      select id from mails
      where state = 'pending' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= now())
      order by next_attempt_at, id limit 1 for update skip locked
    )
    returning id, message_id, kind, user_id, about, attempts, lease, created_at,
      coalesce((select username from users where users.id = user_id), '') as username,
      coalesce(address, (select email from users where users.id = user_id)) as address`.execute(db);
  return rows[0];
}

/** Postpones the mails that are due and that no process sends; no attempt counts for it. */
export async function postponeDue(db: Db, now: Date, until: Date): Promise<void> {
  await sql`
    update mails set next_attempt_at = ${until}
    where state = 'pending' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= now())`.execute(
    db,
  );
}

type Held = Pick<Claimed, "id" | "lease">;

/** Ends the lease of a mail with what came of it; false when another process has it. */
export async function record(db: Db, { id, lease }: Held, change: Updateable<Mails>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mails")
    .set({ ...change, lease: null, leased_until: null })
    .where("id", "=", id)
    .where("lease", "=", lease)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a mail that isn't sent; false when another process has it. */
export async function remove(db: Db, { id, lease }: Held): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("mails")
    .where("id", "=", id)
    .where("lease", "=", lease)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const shown = (db: Db) =>
  db
    .selectFrom("mails")
    .leftJoin("users", "users.id", "user_id")
    .select(["mails.id", "mails.kind", "username as user", "mails.address", "mails.state", "mails.attempts"])
    .select(["mails.reply", "mails.created_at", "mails.next_attempt_at", "mails.finished_at"]);

/** Newest first. */
export function list(db: Db, { isFailed = false, limit }: { isFailed?: boolean; limit: number }) {
  return shown(db)
    .$if(isFailed, (query) => query.where("state", "=", "failed"))
    .orderBy("mails.id", "desc")
    .limit(limit)
    .execute();
}

export type MailRow = Awaited<ReturnType<typeof list>>[number];

export function find(db: Db, id: number): Promise<MailRow | undefined> {
  return shown(db).where("mails.id", "=", String(id)).executeTakeFirst();
}

export async function makeDue(db: Db, id: number, now: Date): Promise<void> {
  await sql`
    update mails set state = 'pending', attempts = 0, next_attempt_at = ${now}, finished_at = null
    where id = ${id} and state <> 'sent'`.execute(db);
}

/** The last mail to a user that was finished: to the user's own address, or to another one. */
export async function lastTo(
  db: Db,
  userId: number,
  address: string | null = null,
): Promise<Pick<MailRow, "state" | "reply"> | undefined> {
  const { rows } = await sql<Pick<MailRow, "state" | "reply">>`
    select state, reply from mails
    where user_id = ${userId} and address is not distinct from ${address} and state <> 'pending'
    order by finished_at desc, id desc limit 1`.execute(db);
  return rows[0];
}

export interface Summary {
  pending: number;
  /** Of these, what was tried already. */
  postponed: number;
  failed: number;
  sent_at: Date | null;
  failed_at: Date | null;
  /** To the last one that has failed or is postponed. */
  reply: string | null;
}

/** Of the last month. */
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

export async function purge(db: Db, finishedBefore: Date): Promise<void> {
  await sql`delete from mails where state <> 'pending' and finished_at < ${finishedBefore}`.execute(db);
}
