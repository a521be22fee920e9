import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt, type Slice } from "../../platform/db/values.ts";
import { MEASURES as ACTS } from "../log/log.ts";
import * as things from "./things.ts";

const MEASURES = sql<number>`(
  select count(*)::int from staff_log where user_id = users.id and act = any(${[...ACTS]}::text[]))`;

const load = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom("users")
    .select(["id", "username", "name", "role", "created_at", "suspended", "spam", "staff_note"])
    .select(MEASURES.as("measures"))
    .where("id", "=", anyInt(ids))
    .execute();

export type Account = Awaited<ReturnType<typeof load>>[number];

export const list = async (db: Db, ids: readonly number[]): Promise<Map<number, Account>> =>
  new Map((await load(db, ids)).map((row) => [row.id, row]));

/** The texts of a person that readers have seen, also those that staff deleted, newest first. */
export const textsOf = (db: Db, userId: number, slice: Slice) =>
  textsBy(db, sql`select id from users where id = ${userId}`, slice);

/** The same of people who have registered in the last three days, and may write. */
export const newTexts = (db: Db, now: Date, slice: Slice) =>
  textsBy(
    db,
    sql`select id from users where origin = 'registration' and not suspended
      and created_at > ${now}::timestamptz - interval '3 days' offset 0`,
    slice,
  );

const textsBy = (db: Db, authors: RawBuilder<unknown>, { limit, offset }: Slice) =>
  things.list(
    db,
    sql`select kind, texts.id from (${authors}) as author cross join lateral (
      select 'article' as kind, id, created_at from articles
        where author_id = author.id and (state in ('published', 'unpublished')
          or unpublish_reason is not null and deleted_from in ('published', 'unpublished'))
      union all select 'comment', id, created_at from comments where author_id = author.id and not deleted
      union all select 'listing', id, created_at from listings where author_id = author.id
    ) as texts order by created_at desc, kind, id desc limit ${limit} offset ${offset}`,
  );
