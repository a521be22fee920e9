import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

export const FIGURES = [
  "views",
  "signed_in_views",
  "read_seconds",
  "comments",
  "follows",
  "reactions",
  "likes",
  "readinglists",
] as const;

type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure, number>;

interface Subject {
  kind: "article" | "user" | "organization";
  id: number;
}

function listed(write: (name: Figure) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(FIGURES.map(write));
}

/** A table of sums by subject. */
interface Sums {
  table: "analytics_days" | "analytics_referrer_days";
  keys: readonly string[];
  figures: readonly string[];
}

const DAYS: Sums = { table: "analytics_days", keys: ["day"], figures: FIGURES };
const REFERRERS: Sums = {
  table: "analytics_referrer_days",
  keys: ["day", "referrer"],
  figures: ["views"],
};

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
    ${withMoved(scope)} select ${SUMS} from (${figures(scope, undefined)}) as parts`.execute(db);
  return rows[0] as Figures;
}

export async function byDay(
  db: Db,
  scope: Scope,
  { start, end }: Range,
): Promise<(Figures & { day: string })[]> {
  const { rows } = await sql<Figures & { day: string }>`
    ${withMoved(scope)} select days.day::date::text as day, ${SUMS}
    from generate_series(${start}::timestamp, ${end}::timestamp, '1 day') as days (day)
    left join (${figures(scope, { start, end })}) as parts on parts.day = days.day::date
    group by days.day order by days.day`.execute(db);
  return rows;
}

export interface ReferrerRow {
  referrer: string;
  views: number;
}

export async function topReferrers(db: Db, scope: Scope, range: Range | undefined): Promise<ReferrerRow[]> {
  const { rows } = await sql<ReferrerRow>`
    ${withMoved(scope)} select referrer, sum(views)::float8 as views from (${parts(scope, range, REFERRERS)}) as parts
    group by referrer having sum(views) > 0
    order by 2 desc, referrer limit 20`.execute(db);
  return rows;
}

const SUMS = listed((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::float8 as ${sql.ref(name)}`);

function figures(scope: Scope, range: Range | undefined): RawBuilder<unknown> {
  const all = parts(scope, range, DAYS);
  if (scope.articleId === undefined) return all;
  // A follow of an owner is for all articles, so each article has the follows of its owner.
  const follows = listed((name) => (name === "follows" ? sql.ref(name) : sql`0`));
  return sql`${all}
    union all
    select day, ${follows} from analytics_days where ${of(scope.owner)} and follows <> 0 and ${within(range)}
    union all
    select day, ${follows} from analytics_changes where ${of(scope.owner)} and ${within(range)}`;
}

/**
 * The sums, the articles to add to them or to subtract, and the changes. One statement sees all of them at one
 * moment, so nothing is counted twice or left out.
 */
function parts(
  { owner, articleId }: Scope,
  range: Range | undefined,
  { table, keys, figures: summed }: Sums,
): RawBuilder<unknown> {
  const columns = (write: (figure: string) => string = String) =>
    sql.raw([...keys.map((key) => `part.${key}`), ...summed.map((name) => write(`part.${name}`))].join(", "));
  // Not all changes have a referrer.
  const isWhole = sql.raw(keys.map((key) => `part.${key} is not null`).join(" and "));
  const subject: Subject = articleId === undefined ? owner : { kind: "article", id: articleId };
  const own = sql`
    select ${columns()} from ${sql.table(table)} as part where ${of(subject)} and ${within(range)}
    union all
    select ${columns()} from analytics_changes as part where ${of(subject)} and ${isWhole} and ${within(range)}`;
  if (articleId !== undefined) return own;
  return sql`${own}
    union all
    select ${columns((figure) => `moved.sign * ${figure}`)} from moved
    join ${sql.table(table)} as part on kind = 'article' and subject_id = moved.article_id and ${within(range)}
    union all
    select ${columns()} from analytics_changes as part
    join published_articles as listed on listed.article_id = subject_id
    where kind = 'article' and ${isWhole} and ${owns(owner, "listed")} and ${within(range)}`;
}

/** Articles that the owner's sums lack (1) or have too much (-1). */
function withMoved({ owner }: Scope): RawBuilder<unknown> {
  const counts = (table: "listed" | "summed") => sql`coalesce(${owns(owner, table)}, false)::int`;
  return sql`
    with moved as (
      select article_id, sign from (
        select noted.article_id, ${counts("listed")} - ${counts("summed")} as sign
        from (select distinct article_id from analytics_moves) as noted
        left join published_articles as listed on listed.article_id = noted.article_id
        left join analytics_owners as summed on summed.article_id = noted.article_id
      ) as signs
      where sign <> 0
    )`;
}

const of = ({ kind, id }: Subject): RawBuilder<boolean> => sql`kind = ${kind} and subject_id = ${id}`;

const owns = ({ kind, id }: Subject, table: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${table}.${kind === "user" ? "author_id" : "organization_id"}`)} = ${id}`;

const within = (range: Range | undefined): RawBuilder<boolean> =>
  range === undefined ? sql`true` : sql`day between ${range.start}::date and ${range.end}::date`;
