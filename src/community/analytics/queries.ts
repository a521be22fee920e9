import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

const FIGURES = [
  "views",
  "signed_in_views",
  "read_seconds",
  "comments",
  "reactions",
  "likes",
  "readinglists",
] as const;

type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure | "follows", number>;

/** SQL for each figure, in the order of the columns. */
export const each = (write: (figure: Figure) => string, separator = ", "): RawBuilder<unknown> =>
  sql.raw(FIGURES.map(write).join(separator));

interface Subject {
  kind: "article" | "user" | "organization";
  id: number;
}

export interface Range {
  start: string;
  end: string;
}

export interface Scope {
  owner: Subject & { kind: "user" | "organization" };
  articleId: number | undefined;
}

export function findOwners(db: Db, articleId: number) {
  return db
    .selectFrom("published_articles")
    .select(["author_id", "organization_id"])
    .where("article_id", "=", articleId)
    .executeTakeFirst();
}

export async function totals(db: Db, scope: Scope): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select ${SUMS}, (select count(*)::float8 from follows where ${follows(scope)}) as follows
    from (${parts(scope, undefined, "all days")}) as parts`.execute(db);
  return rows[0] as Figures;
}

export async function byDay(
  db: Db,
  scope: Scope,
  { start, end }: Range,
): Promise<(Figures & { day: string })[]> {
  const { rows } = await sql<Figures & { day: string }>`
    select days.day::date::text as day, ${SUMS}, coalesce(min(gained.follows), 0)::float8 as follows
    from generate_series(${start}::timestamp, ${end}::timestamp, '1 day') as days (day)
    left join (${parts(scope, { start, end }, "days")}) as parts on parts.day = days.day::date
    left join (
      select (created_at at time zone 'UTC')::date as day, count(*) as follows from follows
      where ${follows(scope)} and created_at >= ${start}::timestamp at time zone 'UTC'
        and created_at < (${end}::timestamp + interval '1 day') at time zone 'UTC'
      group by 1
    ) as gained on gained.day = days.day::date
    group by days.day order by days.day`.execute(db);
  return rows;
}

export interface ReferrerRow {
  referrer: string;
  views: number;
}

export async function topReferrers(db: Db, scope: Scope, range: Range | undefined): Promise<ReferrerRow[]> {
  const { rows } = await sql<ReferrerRow>`
    select referrer, sum(views)::float8 as views from (${parts(scope, range, "referrers")}) as parts
    group by referrer having sum(views) > 0
    order by 2 desc, referrer limit 20`.execute(db);
  return rows;
}

const SUMS = each((figure) => `coalesce(sum(${figure}), 0)::float8 as ${figure}`);

/** A follow of an owner is for all articles, so each article has the follows of its owner. */
const follows = ({ owner: { kind, id } }: Scope): RawBuilder<boolean> =>
  sql`${sql.ref(kind === "user" ? "followed_user_id" : "organization_id")} = ${id}`;

/** The three sorts of sums, by the number of their columns among `day` and `referrer`. */
const SORTS = { "all days": 0, days: 1, referrers: 2 };

const columns = (factor = "") =>
  sql`part.day, part.referrer, ${each((figure) => `${factor}part.${figure} as ${figure}`)}`;

/**
 * The sums, the articles to add to them or to subtract, and the changes. One statement sees all of them at one
 * moment, so nothing is counted twice or left out.
 */
function parts(
  { owner, articleId }: Scope,
  range: Range | undefined,
  sort: keyof typeof SORTS,
): RawBuilder<unknown> {
  const isWithin = range ? sql`part.day between ${range.start}::date and ${range.end}::date` : sql`true`;
  const isWanted = sql`${isWithin} and num_nonnulls(part.day, part.referrer) = ${sql.lit(SORTS[sort])}`;
  const isChange = sql`${isWithin} and ${sql.ref(sort === "referrers" ? "part.referrer" : "part.day")} is not null`;
  const { kind, id }: Subject = articleId === undefined ? owner : { kind: "article", id: articleId };
  const sums = sql`
    select ${columns()} from analytics_days as part where kind = ${kind} and subject_id = ${id} and ${isWanted}
    union all
    select ${columns()} from analytics_changes as part`;
  if (kind === "article") return sql`${sums} where article_id = ${id} and ${isChange}`;
  return sql`${sums} join articles on articles.id = article_id
    where ${sql.ref(kind === "user" ? "author_id" : "organization_id")} = ${id} and state = 'published' and ${isChange}
    union all
    select ${columns("moved.sign * ")}
    from (
      select article_id, sum(sign) as sign from analytics_changes
      where owner_kind = ${kind} and owner_id = ${id} group by article_id having sum(sign) <> 0
    ) as moved
    join analytics_days as part on kind = 'article' and subject_id = moved.article_id and ${isWanted}`;
}
