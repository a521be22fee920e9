import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

export interface Day {
  day: string;
  people: number;
  articles: number;
  comments: number;
}

/** The new people, articles and comments of each of the last 30 days, in UTC. */
export async function newByDay(db: Db, now: Date): Promise<Day[]> {
  const last = sql`(${now}::timestamptz at time zone 'UTC')::date`;
  const by = (table: string, column: string) => sql`(
    select (${sql.ref(column)} at time zone 'UTC')::date as day, count(*)::int as number from ${sql.table(table)}
    where ${sql.ref(column)} >= (${last} - 29)::timestamp at time zone 'UTC' group by 1)`;
  const { rows } = await sql<Day>`
    select days.day::date::text as day, coalesce(people.number, 0) as people,
      coalesce(articles.number, 0) as articles, coalesce(comments.number, 0) as comments
    from generate_series(${last} - 29, ${last}, interval '1 day') as days (day)
    left join ${by("users", "created_at")} as people on people.day = days.day::date
    left join ${by("published_articles", "published_at")} as articles on articles.day = days.day::date
    left join ${by("comments", "created_at")} as comments on comments.day = days.day::date
    order by 1`.execute(db);
  return rows;
}

/** Which of the first steps are done, of those that the database shows. */
export async function begun(db: Db): Promise<{ hasArticle: boolean; hasInvited: boolean }> {
  const { rows } = await sql<{ hasArticle: boolean; hasInvited: boolean }>`
    select exists (select from published_articles) as "hasArticle",
      exists (select from invitations) or (select count(*) from (select from users limit 2) as users) > 1
        as "hasInvited"`.execute(db);
  return rows[0] ?? { hasArticle: false, hasInvited: false };
}

export async function failedJobs(db: Db, limit: number) {
  const { rows } = await sql<{ id: number; about: string; reason: string | null }>`
    select id::int, task_identifier as about, last_error as reason from graphile_worker.jobs
    where last_error is not null order by id desc limit ${limit}`.execute(db);
  return rows;
}

export async function retryJob(tx: Db, id: number): Promise<boolean> {
  const { rows } =
    await sql`select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`.execute(
      tx,
    );
  return rows.length > 0;
}

export async function discardJob(tx: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker.complete_jobs(array[${id}]::bigint[])`.execute(tx);
  return rows.length > 0;
}
