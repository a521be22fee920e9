import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt } from "../../platform/db/values.ts";
import { type Cut, decoded, encodeCursor, toPart } from "../../http/pages.ts";
import { ORDERS } from "./lists/orders.ts";
import { selectSummaries } from "./queries.ts";

/** Bodies in memory at once: a page of a thousand may exceed the memory of a process. */
const PORTION_BYTES = 2 * 1024 * 1024;

/** The ids of a page in portions, for `ownRows`. */
export async function ownPage(db: Db, authorId: number, { which, limit, offset }: OwnPart) {
  // The additional one shows whether there is a next page.
  const refs = await ownRefs(db, authorId, { which, limit: limit + 1, offset });
  return { portions: inPortions(refs.slice(0, limit)), hasNext: refs.length > limit };
}

export async function ownRows(db: Db, ids: number[]): Promise<OwnRow[]> {
  const byId = new Map((await selectOwn(db, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function inPortions(refs: { id: number; bytes: number }[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const { id, bytes } of refs) {
    // An empty body needs no room, so the first one needs a portion too.
    if (groups.length === 0 || bytes > room) {
      groups.push([]);
      room = PORTION_BYTES;
    }
    groups.at(-1)?.push(id);
    room -= bytes;
  }
  return groups;
}

/** A scheduled article is neither published nor unpublished. */
const STATES = {
  published: ["published"],
  unpublished: ["draft", "unpublished"],
  all: ["draft", "scheduled", "published", "unpublished"],
};
export type Own = keyof typeof STATES;

interface OwnPart {
  which: Own;
  limit: number;
  offset: number;
}

/** Lists ids with the sizes of bodies. Articles without a date come first, then the newest. */
async function ownRefs(db: Db, authorId: number, { which, limit, offset }: OwnPart) {
  // The condition of the index articles_own.
  const { rows } = await sql<{ id: number; bytes: number }>`
    select id, octet_length(body_markdown) as bytes from articles
    where author_id = ${authorId} and state = any(${STATES[which]}::text[]) and state <> 'deleted'
    order by (case when state in ('published', 'scheduled') then published_at end) desc nulls first,
      created_at desc, id desc
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Imported views, summed ones, and those of the last second (src/community/analytics). */
const pageViews: RawBuilder<number> = sql`(
  articles.imported_page_views_count
  + coalesce((
      select views from analytics_days
      where kind = 'article' and subject_id = articles.id and num_nonnulls(day, referrer) = 0
    ), 0)
  + coalesce((select sum(views) from analytics_changes where article_id = articles.id), 0)
)::float8`;

function selectOwn(db: Db, ids: number[]) {
  return selectSummaries(db)
    .select("articles.body_markdown")
    .select(pageViews.as("page_views_count"))
    .where("articles.id", "=", anyInt(ids))
    .where("articles.state", "<>", "deleted")
    .execute();
}

export type OwnRow = Awaited<ReturnType<typeof selectOwn>>[number];

const DASHBOARD = {
  published: ["published"],
  drafts: ["draft", "unpublished"],
  scheduled: ["scheduled"],
  deleted: ["deleted"],
} as const;
export type DashboardTab = keyof typeof DASHBOARD;

const at = sql<Date>`coalesce(articles.published_at, articles.created_at)`;

/** A page of the author's articles in a state, by their date of publication or else of their beginning, newest first. */
export async function listOwn(db: Db, authorId: number, tab: DashboardTab, cut: Cut) {
  const { after, limit } = decoded(cut, ORDERS.newest);
  const behind =
    after &&
    sql<boolean>`(${at}, articles.id) < (${after.published_at}::timestamptz, ${after.article_id}::int)`;
  const rows = await selectSummaries(db)
    .select([at.as("at"), pageViews.as("page_views_count")])
    .where("articles.author_id", "=", authorId)
    .where("articles.state", "in", DASHBOARD[tab])
    .$if(behind !== undefined, (query) => query.where(behind ?? sql<boolean>`true`))
    .orderBy(at, "desc")
    .orderBy("articles.id", "desc")
    .limit(limit + 1)
    .execute();
  return toPart(rows, limit, () => {
    const { at: published_at = new Date(), id: article_id = 0 } = rows[limit - 1] ?? {};
    return { cursor: encodeCursor(ORDERS.newest, { value: 0, published_at, article_id }) };
  });
}
