import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { lockShared } from "../db/locks.ts";
import { anyInt } from "../db/values.ts";
import * as search from "../search/rows.ts";
import { bodyTerms } from "../search/vector.ts";
import * as settings from "../settings/settings.ts";
import * as tags from "../tags/tags.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import type { Rendered } from "../text/render-pool.ts";

/** In all, and by tag. */
export interface CountChanges {
  published: number;
  tags: Map<number, number>;
}

export function noChanges(): CountChanges {
  return { published: 0, tags: new Map() };
}

export function add(total: CountChanges, part: CountChanges): void {
  total.published += part.published;
  for (const [id, delta] of part.tags) total.tags.set(id, (total.tags.get(id) ?? 0) + delta);
}

interface Options {
  now: Date;
  /** None of them was in the tables before. */
  areNew?: boolean;
  /** Of bodies that were just rendered, by the article's id. */
  terms?: ReadonlyMap<number, NonNullable<Rendered["terms"]>>;
  /** Rows of search wait for `placeWaiting`. */
  areWaiting?: boolean;
}

/** Updates the tables of published articles and the counts. Last in a transaction. */
export async function refresh(tx: Db, ids: number[], options: Options): Promise<void> {
  await applyCounts(tx, await project(tx, ids, options));
}

/** Updates the tables of published articles. The result is for `applyCounts` at the end. */
export async function project(
  tx: Db,
  ids: number[],
  { now, areNew = false, ...options }: Options,
): Promise<CountChanges> {
  const changes = noChanges();
  if (ids.length === 0) return changes;
  // First: moves between tiers lock their rows behind this lock.
  await lockShared(tx, "searchTiers");
  if (!areNew) await takeOut(tx, ids, changes);
  changes.published += await list(tx, ids, now);
  countTags(changes, await tag(tx, ids), 1);
  await index(tx, ids, options);
  return changes;
}

async function takeOut(tx: Db, ids: number[], changes: CountChanges): Promise<void> {
  const tagged = await tx
    .selectFrom("article_tags")
    .select("tag_id")
    .where("article_id", "=", anyInt(ids))
    .execute();
  countTags(changes, tagged, -1);
  const { numDeletedRows } = await tx
    .deleteFrom("published_articles")
    .where("article_id", "=", anyInt(ids))
    .executeTakeFirstOrThrow();
  changes.published -= Number(numDeletedRows);
}

function countTags({ tags }: CountChanges, rows: readonly { tag_id: number }[], sign: 1 | -1): void {
  for (const { tag_id } of rows) tags.set(tag_id, (tags.get(tag_id) ?? 0) + sign);
}

/** Last in a transaction: every publication needs these rows. */
export async function applyCounts(tx: Db, changes: CountChanges): Promise<void> {
  await tags.changeCounts(tx, changes.tags);
  if (changes.published === 0) return;
  await tx
    .updateTable("counters")
    .set({ value: sql`value + ${changes.published}` })
    .where("name", "=", "published_articles")
    .execute();
}

/** Returns the number of published ones. */
async function list(tx: Db, ids: number[], now: Date): Promise<number> {
  const freshFrom: RawBuilder<Date> = sql`coalesce(crossposted_at, published_at)`;
  // Videos without a picture aren't listed.
  const { numAffectedRows } = await sql`
    insert into published_articles (article_id, author_id, organization_id, collection_id, published_at, fresh_from,
      reactions, score, hotness, has_video, version)
    select id, author_id, organization_id, collection_id, published_at, ${freshFrom},
      public_reactions_count, score, ${hotness(sql`score`, freshFrom, now)},
      video_source_url is not null and coalesce(video_thumbnail_url, main_image) is not null, version
    from articles where id = any(${ids}) and state = 'published'`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Returns a row for each tag of each article. */
async function tag(tx: Db, ids: number[]): Promise<{ tag_id: number }[]> {
  // New tags are created only now: earlier they would reveal a draft. In one order, against deadlocks.
  await sql`
    insert into tags (name)
    select distinct carried.name from articles cross join unnest(tag_list) as carried (name)
    where articles.id = any(${ids}) and state = 'published' and not exists (select from tags where tags.name = carried.name)
    order by name on conflict (name) do nothing`.execute(tx);
  const { rows } = await sql<{ tag_id: number }>`
    insert into article_tags (tag_id, article_id, published_at, reactions, hotness)
    select tags.id, listed.article_id, listed.published_at, listed.reactions, listed.hotness
    from published_articles as listed
    join articles on articles.id = listed.article_id
    cross join unnest(articles.tag_list) as carried (name)
    join tags on tags.name = carried.name
    where listed.article_id = any(${ids})
    returning tag_id`.execute(tx);
  return rows;
}

export async function index(
  tx: Db,
  ids: number[],
  { terms, areWaiting = false }: Omit<Options, "now"> = {},
): Promise<void> {
  const { rows } = await sql<search.SearchArticle & { body_markdown: string }>`
    select listed.article_id as id, listed.published_at as "publishedAt", listed.reactions,
      array(select tag_id from article_tags where article_id = listed.article_id) as "tagIds",
      title, tag_list as tags, description, body_markdown,
      array_remove(array[users.name, users.username, organizations.name, organizations.username], null) as names
    from published_articles as listed
    join articles on articles.id = listed.article_id
    join users on users.id = articles.author_id
    left join organizations on organizations.id = articles.organization_id
    where listed.article_id = any(${ids}) order by listed.article_id`.execute(tx);
  if (rows.length === 0) return;
  const { search_language: language } = await settings.read(tx);
  const articles = rows.map((row) => {
    const made = terms?.get(row.id);
    if (made?.language === language) return { ...row, body: made };
    const { body } = parseFrontMatter(row.body_markdown);
    return { ...row, body: bodyTerms(body, language) };
  });
  await search.write(tx, articles, { language, areWaiting });
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

/** Score plus freshness from this date. */
export function hotness(
  score: RawBuilder<number>,
  freshFrom: RawBuilder<Date>,
  now: Date,
): RawBuilder<number> {
  const lifts = FRESHNESS.map(
    ([hours, lift]) =>
      sql`case when ${freshFrom} > ${now}::timestamptz - make_interval(hours => ${hours}) then ${lift}::int else 0 end`,
  );
  return sql<number>`(${score} + ${sql.join(lifts, sql` + `)})`;
}
