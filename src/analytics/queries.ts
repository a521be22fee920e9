import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { type Figures, listed } from "./figures.ts";
import { of, owns, type Range, type Scope, within, withMoved } from "./scope.ts";

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
