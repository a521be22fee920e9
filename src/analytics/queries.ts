import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { type Figures, listed, type Subject } from "./figures.ts";

/** Days as yyyy-mm-dd, both of them inside. */
export interface Range {
  start: string;
  end: string;
}

/** Whose figures: those of everything an owner has published, or of one article of it. */
export interface Scope {
  owner: Subject & { kind: "user" | "organization" };
  articleId: number | undefined;
}

/** Whose article this is, if it is published. */
export function findOwners(db: Db, articleId: number) {
  return db
    .selectFrom("published_articles")
    .select(["author_id", "organization_id"])
    .where("article_id", "=", articleId)
    .executeTakeFirst();
}

/** The figures of all time. */
export async function totals(db: Db, scope: Scope): Promise<Figures> {
  const { rows } = await sql<Figures>`
    ${withMoved(scope)} select ${SUMS} from (${parts(scope, undefined)}) as parts`.execute(db);
  return rows[0] as Figures;
}

/** The figures of each day of a range that has any. */
export async function byDay(db: Db, scope: Scope, range: Range): Promise<(Figures & { day: string })[]> {
  const { rows } = await sql<Figures & { day: string }>`
    ${withMoved(scope)} select day::text as day, ${SUMS} from (${parts(scope, range)}) as parts
    group by day`.execute(db);
  return rows;
}

const SUMS = listed((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::float8 as ${sql.ref(name)}`);

/**
 * The sums, and what isn't added to them yet: each statement sees both as they are at one moment, so none is
 * counted twice or left out.
 */
function parts(scope: Scope, range: Range | undefined): RawBuilder<unknown> {
  return scope.articleId === undefined
    ? ownerParts(scope.owner, range)
    : articleParts({ owner: scope.owner, articleId: scope.articleId }, range);
}

const COLUMNS = listed((name) => sql.ref(name));

function ownerParts(owner: Scope["owner"], range: Range | undefined): RawBuilder<unknown> {
  const moved = listed((name) => sql`moved.sign * ${sql.ref(name)}`);
  // Some figures are also called like columns of articles.
  const changed = listed((name) => sql.ref(`change.${name}`));
  return sql`
    select day, ${COLUMNS} from analytics_days where ${of(owner)} and ${within(range)}
    union all
    select day, ${moved} from moved
    join analytics_days on kind = 'article' and subject_id = moved.article_id and ${within(range)}
    union all
    select day, ${COLUMNS} from analytics_changes where ${of(owner)} and ${within(range)}
    union all
    select day, ${changed} from analytics_changes as change
    join published_articles as listed on listed.article_id = subject_id
    where kind = 'article' and ${owns(owner, "listed")} and ${within(range)}`;
}

/** Who follows an article's owner follows because of all of it, so an article has the follows of its owner. */
function articleParts(
  { owner, articleId }: { owner: Scope["owner"]; articleId: number },
  range: Range | undefined,
): RawBuilder<unknown> {
  const article = { kind: "article" as const, id: articleId };
  const follows = listed((name) => (name === "follows" ? sql.ref(name) : sql`0`));
  return sql`
    select day, ${COLUMNS} from analytics_days where ${of(article)} and ${within(range)}
    union all
    select day, ${COLUMNS} from analytics_changes where ${of(article)} and ${within(range)}
    union all
    select day, ${follows} from analytics_days where ${of(owner)} and follows <> 0 and ${within(range)}
    union all
    select day, ${follows} from analytics_changes where ${of(owner)} and ${within(range)}`;
}

export interface ReferrerRow {
  referrer: string;
  views: number;
}

/** Where most views came from in all. */
export async function topReferrers(db: Db, scope: Scope, limit: number): Promise<ReferrerRow[]> {
  const subject = subjectOf(scope);
  // Whatever isn't noted among the changes stands in the order of the index, so that many are enough.
  const { rows } = await sql<ReferrerRow>`
    ${withMoved(scope)}, changed as (
      select referrer, sum(views) as views from (${changedReferrers(scope, undefined)}) as changes
      group by referrer having sum(views) <> 0
    ), top as (
      select referrer from analytics_referrers where ${of(subject)}
      order by views desc, referrer limit ${limit} + (select count(*) from changed)
    )
    select referrer, (coalesce(kept.views, 0) + coalesce(changed.views, 0))::float8 as views
    from (select referrer from top union select referrer from changed) as candidates
    left join changed using (referrer)
    left join lateral (
      select views from analytics_referrers
      where ${of(subject)} and analytics_referrers.referrer = candidates.referrer
    ) as kept on true
    where coalesce(kept.views, 0) + coalesce(changed.views, 0) > 0
    order by 2 desc, referrer limit ${limit}`.execute(db);
  return rows;
}

/** The same of a range of days. */
export async function topReferrersWithin(
  db: Db,
  scope: Scope,
  { range, limit }: { range: Range; limit: number },
): Promise<ReferrerRow[]> {
  const { rows } = await sql<ReferrerRow>`
    ${withMoved(scope)}
    select referrer, sum(views)::float8 as views
    from (
      select referrer, views from analytics_referrer_days where ${of(subjectOf(scope))} and ${within(range)}
      union all
      ${changedReferrers(scope, range)}
    ) as parts
    group by referrer having sum(views) > 0
    order by 2 desc, referrer limit ${limit}`.execute(db);
  return rows;
}

/** What the sums of referrers don't have yet. */
function changedReferrers(scope: Scope, range: Range | undefined): RawBuilder<unknown> {
  const { owner, articleId } = scope;
  if (articleId !== undefined) {
    return sql`
      select referrer, views from analytics_changes
      where ${of(subjectOf(scope))} and referrer is not null and ${within(range)}`;
  }
  return sql`
    select referrer, moved.sign * views as views from moved
    join analytics_referrer_days on kind = 'article' and subject_id = moved.article_id and ${within(range)}
    union all
    select referrer, views from analytics_changes
    join published_articles as listed on listed.article_id = subject_id
    where kind = 'article' and referrer is not null and ${owns(owner, "listed")} and ${within(range)}`;
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

const subjectOf = ({ owner, articleId }: Scope): Subject =>
  articleId === undefined ? owner : { kind: "article", id: articleId };

const of = ({ kind, id }: Subject): RawBuilder<boolean> => sql`kind = ${kind} and subject_id = ${id}`;

function owns({ kind, id }: Subject, table: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${table}.${kind === "user" ? "author_id" : "organization_id"}`)} = ${id}`;
}

function within(range: Range | undefined): RawBuilder<boolean> {
  return range === undefined ? sql`true` : sql`day between ${range.start}::date and ${range.end}::date`;
}
