import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import { type Place, WEIGHING_TIER } from "../search-index/popularity.ts";
import { COLUMNS, type Row } from "../search-index/rows-in-memory.ts";

/** Which rows a statement finds. */
export interface RowFilter {
  /** A tsquery that the index answers. */
  lookedUp: string;
  /** A tsquery that rows must also match; null where the index answers all. */
  checked: string | null;
  since: Date | null;
  until: Date;
}

/** The rows to read for a phrase, which the index of words can't answer. */
const MOST_CHECKS = 2_000;

/** Narrows the articles that match to those behind a place, in some tiers of popularity. */
interface TierRange {
  after: Place | undefined;
  first_tier: number;
  last_tier: number;
  limit: number;
}

const placeValues = (after: Place | undefined) => ({
  reactions: after?.reactions ?? null,
  published_at: after ? new Date(after.published_at) : null,
  article_id: after?.article_id ?? null,
});

interface MostPopular extends RowFilter, TierRange {
  besides: readonly number[];
  skip: number;
}

const popularValues = ({ after, besides, ...values }: MostPopular) => ({
  ...values,
  ...placeValues(after),
  besides: [...besides],
});

const popularStatement = prepare<ReturnType<typeof popularValues>, Row>(
  (value) => sql`
  select ${COLUMNS}
  from search_matches(${value("lookedUp")}::tsquery, ${value("checked")}::tsquery, ${value("since")}::timestamptz,
    ${value("until")}::timestamptz, ${value("besides")}::int[], ${value("reactions")}::int, ${value("published_at")}::timestamptz,
    ${value("article_id")}::int, ${value("first_tier")}::int, ${value("last_tier")}::int, ${value("skip")}::int,
    ${value("limit")}::int, ${sql.lit(MOST_CHECKS)}) as found
  cross join lateral (
    select article_id, reactions, published_at, version from published_articles
    where published_articles.article_id = found.article_id limit 1
  ) as listed
  where found.is_match
  order by listed.reactions desc, listed.published_at desc, listed.article_id desc`,
);

/** The most popular rows that match. */
export function mostPopular(db: Db, values: MostPopular): Promise<Row[]> {
  return popularStatement(db, popularValues(values));
}

interface Titled extends RowFilter, TierRange {
  titled: string;
}

const titledValues = ({ after, ...values }: Titled) => ({ ...values, ...placeValues(after) });

const titledStatement = prepare<ReturnType<typeof titledValues>, Row>(
  (value) => sql`
  select ${COLUMNS}
  from search_titles(${value("titled")}::tsquery, ${value("lookedUp")}::tsquery, ${value("checked")}::tsquery,
    ${value("since")}::timestamptz, ${value("until")}::timestamptz, ${value("reactions")}::int, ${value("published_at")}::timestamptz,
    ${value("article_id")}::int, ${value("first_tier")}::int, ${value("last_tier")}::int, ${value("limit")}::int) as found
  cross join lateral (
    select article_id, reactions, published_at, version from published_articles
    where published_articles.article_id = found.article_id limit 1
  ) as listed`,
);

/** The most popular rows that match with `titled` in the title. */
export function mostPopularTitles(db: Db, values: Titled): Promise<Row[]> {
  return titledStatement(db, titledValues(values));
}

/** The most articles of one title that are read. */
const MOST_OF_ONE_TITLE = 50;

interface SameTitle {
  titleKey: string;
  filter: string | null;
  since: Date | null;
  now: Date;
  after: Place | undefined;
}

const sameTitleValues = ({ after, ...values }: SameTitle) => ({ ...values, ...placeValues(after) });

const sameTitleStatement = prepare<ReturnType<typeof sameTitleValues>, Row>(
  (value) => sql`
  select ${COLUMNS}
  from article_search as found join published_articles as listed using (article_id)
  where found.title_key = ${value("titleKey")}
    and (${value("filter")}::text is null or found.words @@ ${value("filter")}::tsquery)
    and (${value("since")}::timestamptz is null or listed.published_at > ${value("since")}::timestamptz)
    and listed.published_at <= ${value("now")}::timestamptz
    and (${value("article_id")}::int is null or (listed.reactions, listed.published_at, listed.article_id)
      < (${value("reactions")}::int, ${value("published_at")}::timestamptz, ${value("article_id")}::int))
  order by listed.reactions desc, listed.published_at desc, listed.article_id desc
  limit ${sql.lit(MOST_OF_ONE_TITLE)}`,
);

/** The most popular with exactly this title. */
export function sameTitle(db: Db, values: SameTitle): Promise<Row[]> {
  return sameTitleStatement(db, sameTitleValues(values));
}

const countStatement = prepare<{ texts: string[] }, { count: number }>(
  (value) => sql`
  select case text when '' then 0 else search_count(text::tsquery, ${sql.lit(WEIGHING_TIER)}) end as count
  from unnest(${value("texts")}::text[]) with ordinality as given (text, place) order by place`,
);

/** The number of rows that match each tsquery, of those that weigh words; 1 if only others do, 0 for an empty one. */
export async function countRows(db: Db, texts: readonly string[]): Promise<number[]> {
  if (texts.every((text) => text === "")) return texts.map(() => 0);
  const rows = await countStatement(db, { texts: [...texts] });
  return rows.map(({ count }) => count);
}

const weighingStatement = prepare<ReturnType<typeof placeValues>, { count: number }>(
  (value) => sql`
  select count(*)::int as count from published_articles
  where ${value("article_id")}::int is null or (reactions, published_at, article_id)
    >= (${value("reactions")}::int, ${value("published_at")}::timestamptz, ${value("article_id")}::int)`,
);

/** The number of articles that weigh words, the last of which is given. */
export async function countWeighing(db: Db, end: Place | undefined): Promise<number> {
  const [row] = await weighingStatement(db, placeValues(end));
  return row?.count ?? 0;
}
