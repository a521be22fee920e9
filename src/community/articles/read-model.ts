import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { together } from "../../platform/db/pipeline.ts";
import { prepare } from "../../platform/db/prepared.ts";
import * as search from "../../search/rows.ts";
import { bodyTerms } from "../../search/index/vector.ts";
import * as settings from "../../platform/settings/settings.ts";
import { parseFrontMatter } from "../../content/text/front-matter.ts";
import type { BodyTerms } from "../../content/text/render-pool.ts";
import * as counting from "./counting.ts";

/** The terms of bodies that were just rendered, by the article's id. */
type Terms = ReadonlyMap<number, BodyTerms>;

/** Updates the tables of published articles and the counts. Last in a transaction. */
export async function refresh(tx: Db, ids: number[], now: Date): Promise<void> {
  await writeSearchAndCounts(tx, await writeLists(tx, ids, now));
}

/** Updates the tables of published articles without the counts. `counting.apply` takes the result. */
export async function project(
  tx: Db,
  ids: number[],
  { now, terms }: { now: Date; terms: Terms },
): Promise<counting.CountChanges> {
  const { rows, changes } = await writeLists(tx, ids, now);
  await search.write(tx, await withTerms(tx, rows, terms));
  return changes;
}

interface Listed {
  rows: HeadRow[];
  changes: counting.CountChanges;
}

/** Updates the lists. `writeSearchAndCounts` takes the result. */
export async function writeLists(tx: Db, ids: number[], now: Date): Promise<Listed> {
  const changes = counting.noChanges();
  if (ids.length === 0) return { rows: [], changes };
  const [listed, tagged, rows] = await together(list(tx, { ids, now }), tag(tx, { ids }), heads(tx, { ids }));
  changes.published += listed.filter(({ is_new }) => is_new).length;
  for (const { tag_id, delta } of tagged) {
    if (tag_id === null) changes.published += delta;
    else changes.tags.set(tag_id, (changes.tags.get(tag_id) ?? 0) + delta);
  }
  return { rows, changes };
}

/** Comes last in a transaction. */
export async function writeSearchAndCounts(tx: Db, { rows, changes }: Listed, terms?: Terms): Promise<void> {
  // Terms are cut first: counting locks the rows of common tags.
  const articles = await withTerms(tx, rows, terms);
  await together(search.write(tx, articles), counting.apply(tx, changes));
}

const FRESH_FROM: RawBuilder<Date> = sql`coalesce(crossposted_at, published_at)`;

/** Rows that don't change are not returned. Videos without a picture aren't listed. */
const list = prepare<{ ids: number[]; now: Date }, { is_new: boolean }>(
  (value) => sql`
    insert into published_articles as present (article_id, author_id, organization_id, collection_id, published_at,
      fresh_from, reactions, score, hotness, has_video, version)
    select id, author_id, organization_id, collection_id, published_at, ${FRESH_FROM},
      public_reactions_count, score, ${hotness(sql`score`, FRESH_FROM, value("now"))},
      video_source_url is not null and coalesce(video_thumbnail_url, main_image) is not null, version
    from articles where id = any(${value("ids")}::int[]) and state = 'published'
    on conflict (article_id) do update set (author_id, organization_id, collection_id, published_at, fresh_from,
        reactions, score, hotness, has_video) = (excluded.author_id, excluded.organization_id,
        excluded.collection_id, excluded.published_at, excluded.fresh_from, excluded.reactions, excluded.score,
        excluded.hotness, excluded.has_video)
      where (present.author_id, present.organization_id, present.collection_id, present.published_at,
        present.fresh_from, present.reactions, present.score, present.hotness, present.has_video)
        is distinct from (excluded.author_id, excluded.organization_id, excluded.collection_id,
        excluded.published_at, excluded.fresh_from, excluded.reactions, excluded.score, excluded.hotness,
        excluded.has_video)
    returning xmax = 0 as is_new`,
);

/**
 * Returns the changes of the counts of tags; without a tag, of all published articles. New tags are created only now:
 * earlier they would reveal a draft. Their one order prevents deadlocks. A tag that another transaction has just
 * created is not visible yet: only an update returns it.
 */
const tag = prepare<{ ids: number[] }, { tag_id: number | null; delta: number }>(
  (value) => sql`
    with carried as materialized (
      select id as article_id, carried.name from articles cross join unnest(tag_list) as carried (name)
      where id = any(${value("ids")}::int[]) and state = 'published'
    ), created as (
      insert into tags as present (name)
      select distinct name from carried where not exists (select from tags where tags.name = carried.name)
      order by name on conflict (name) do update set name = present.name
      returning id, name
    ), wanted as materialized (
      select article_id, tags.id as tag_id from carried join tags on tags.name = carried.name
      union
      select article_id, created.id from carried join created on created.name = carried.name
    ), removed as (
      delete from article_tags
      where article_id = any(${value("ids")}::int[]) and (article_id, tag_id) not in (select article_id, tag_id from wanted)
      returning tag_id
    ), added as (
      insert into article_tags as present (tag_id, article_id, published_at, reactions, hotness)
      select tag_id, article_id, published_at, reactions, hotness
      from wanted join published_articles as listed using (article_id)
      on conflict (tag_id, article_id) do update
        set published_at = excluded.published_at, reactions = excluded.reactions, hotness = excluded.hotness
        where (present.published_at, present.reactions, present.hotness)
          is distinct from (excluded.published_at, excluded.reactions, excluded.hotness)
      returning tag_id, xmax = 0 as is_new
    ), unlisted as (
      delete from published_articles as listed using articles
      where article_id = any(${value("ids")}::int[]) and articles.id = article_id and articles.state <> 'published'
      returning article_id
    )
    select tag_id, -1 as delta from removed
    union all select tag_id, 1 from added where is_new
    union all select null, -1 from unlisted`,
);

type HeadRow = Omit<search.SearchArticle, "body">;

const heads = prepare<{ ids: number[] }, HeadRow>(
  (value) => sql`
    select listed.article_id as id, listed.published_at as "publishedAt",
      array(select tag_id from article_tags where article_id = listed.article_id) as "tagIds",
      title, tag_list as tags, description,
      array_remove(array[users.name, users.username, organizations.name, organizations.username], null) as names
    from published_articles as listed
    join articles on articles.id = listed.article_id
    join users on users.id = articles.author_id
    left join organizations on organizations.id = articles.organization_id
    where listed.article_id = any(${value("ids")}::int[]) order by listed.article_id`,
);

const bodies = prepare<{ ids: number[] }, { id: number; body_markdown: string; language: string | null }>(
  (value) => sql`select id, body_markdown, language from articles where id = any(${value("ids")}::int[])`,
);

export async function index(tx: Db, ids: number[]): Promise<void> {
  await search.write(tx, await withTerms(tx, await heads(tx, { ids })));
}

/** Cuts the bodies whose terms are missing. */
async function withTerms(tx: Db, rows: HeadRow[], terms: Terms = new Map()): Promise<search.SearchArticle[]> {
  const missing = rows.flatMap(({ id }) => (terms.has(id) ? [] : [id]));
  const made = new Map(terms);
  if (missing.length > 0) {
    const { search_language: site } = await settings.read(tx);
    for (const { id, body_markdown, language } of await bodies(tx, { ids: missing })) {
      made.set(id, bodyTerms(parseFrontMatter(body_markdown).body, site, language));
    }
  }
  return rows.map((row) => ({ ...row, body: made.get(row.id) as BodyTerms }));
}

/** The steps add up. Source: docs/search.md. */
const FRESHNESS: readonly (readonly [hours: number, lift: number])[] = [
  [1, 28],
  [8, 31],
  [12, 80],
  [26, 395],
  [48, 330],
  [96, 330],
];

export const MAX_LIFT = FRESHNESS.reduce((sum, [, lift]) => sum + lift, 0);

export function hotness(
  score: RawBuilder<number>,
  freshFrom: RawBuilder<Date>,
  now: Date | RawBuilder<unknown>,
): RawBuilder<number> {
  const lifts = FRESHNESS.map(
    ([hours, lift]) =>
      sql`case when ${freshFrom} > ${now}::timestamptz - make_interval(hours => ${hours}) then ${lift}::int else 0 end`,
  );
  return sql<number>`(${score} + ${sql.join(lifts, sql` + `)})`;
}
