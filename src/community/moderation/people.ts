import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt, type Slice } from "../../platform/db/values.ts";
import * as things from "./things.ts";

export interface Account {
  id: number;
  username: string;
  name: string;
  role: string;
  created_at: Date;
  suspended: boolean;
  suspended_until: Date | null;
  suspension_reason: string | null;
  spam: boolean;
  staff_note: string | null;
  /** Acts of staff on what the person wrote, and on the account. */
  measures: number;
}

export async function list(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  const { rows } = await sql<Account>`
    select id, username, name, role, created_at, suspended, suspended_until, suspension_reason, suspended and spam as spam, staff_note,
      (select count(*)::int from staff_log where user_id = users.id and act not in ('note_user', 'dismiss_report'))
        as measures
    from users where id = ${anyInt(ids)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What staff may see of a person's texts: those that were public. Newest first. */
export const textsOf = (db: Db, userId: number, { limit, offset }: Slice) =>
  things.list(
    db,
    sql`select kind, id from (
      select 'article' as kind, id, created_at from articles
      where author_id = ${userId} and (state in ('published', 'unpublished') or unpublish_reason is not null)
      union all select 'comment', id, created_at from comments where author_id = ${userId}
      union all select 'listing', id, created_at from listings where author_id = ${userId}
    ) as texts order by created_at desc, kind, id desc limit ${limit} offset ${offset}`,
  );

/** Public texts of people who have registered in the last three days, newest first. */
export const newTexts = (db: Db, now: Date, { limit, offset }: Slice) =>
  things.list(
    db,
    sql`select kind, texts.id from (
      select id from users
      where origin = 'registration' and created_at > ${now}::timestamptz - interval '3 days' offset 0
    ) as young cross join lateral (
      select 'article' as kind, id, created_at from articles where author_id = young.id and state = 'published'
      union all select 'comment', id, created_at from comments
        where author_id = young.id and not deleted and not hidden
      union all select 'listing', id, created_at from listings where author_id = young.id and published
    ) as texts order by created_at desc, kind, id desc limit ${limit} offset ${offset}`,
  );
