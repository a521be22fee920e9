import { sql } from "kysely";
import { type Fragment, fragmentOf, type Fragments } from "../../platform/cache.ts";
import type { ViewCounter } from "../../context.ts";
import type { Db } from "../../platform/db/connect.ts";
import { notFound } from "../../platform/errors.ts";
import type { Answer, Reader } from "../../http/answers.ts";
import { articlePath, pathUnder } from "../../platform/paths.ts";
import type { Ref } from "../../search/find.ts";
import * as queries from "./queries.ts";
import * as view from "./view.ts";

export type PublishedRow = queries.SummaryRow & { published_at: Date };

type Places = readonly Pick<Ref, "article_id">[];

/** The articles of a page, but for those that were unpublished meanwhile. */
export function rows(db: Db, page: Places): Promise<PublishedRow[]> {
  return inOrder(page, (ids) => queries.summaries(db, { ids }) as Promise<PublishedRow[]>);
}

const withBodies = queries.prepareRows<
  PublishedRow & { body_html: string | null },
  { ids: number[]; maxBytes: number }
>((db, value) => {
  // PostgreSQL knows the size without reading the body.
  const body = sql`case when octet_length(body_html) <= ${value("maxBytes")}::int then body_html end`;
  return queries.selectSummaries(db).select(body.as("body_html"));
});

export function rowsWithBodies(db: Db, page: readonly Ref[], maxBytes: number) {
  return inOrder(page, (ids) => withBodies(db, { ids, maxBytes }));
}

const withVideos = queries.prepareRows<view.VideoRow>((db) =>
  queries
    .selectSummaries(db)
    .select(["author_id", "video_source_url", "video_thumbnail_url", "video_duration_seconds"]),
);

export function rowsWithVideos(db: Db, page: readonly Ref[]) {
  return inOrder(page, (ids) => withVideos(db, { ids }));
}

const BEGINNING = 10_000;

const withBeginnings = queries.prepareRows<PublishedRow & { beginning: string }>((db) =>
  queries.selectSummaries(db).select(sql`left(body_html, ${sql.lit(BEGINNING)})`.as("beginning")),
);

/** Each row has the first part of its body as HTML; a tag may be cut. */
export function rowsWithBeginnings(db: Db, page: readonly Ref[]) {
  return inOrder(page, (ids) => withBeginnings(db, { ids }));
}

async function inOrder<Row extends { id: number }>(
  page: Places,
  load: (ids: number[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (page.length === 0) return [];
  const found = await load(page.map(({ article_id }) => article_id));
  const byId = new Map(found.map((row) => [row.id, row]));
  return page.flatMap(({ article_id }) => byId.get(article_id) ?? []);
}

const MAX_ID = 2_147_483_647;

/** A number is an id; other texts are slugs, or paths in one segment. */
export async function findByName(db: Db, name: string): Promise<queries.FullRow | undefined> {
  if (/^(0|[1-9]\d*)$/.test(name))
    return Number(name) <= MAX_ID ? queries.findById(db, Number(name)) : undefined;
  return name.includes("/") ? findByPath(db, `/${name}`) : queries.findBySlug(db, name.toLowerCase());
}

/** Finds an article by its path or a former one, in any case. */
export async function findByPath(db: Db, path: string): Promise<queries.FullRow | undefined> {
  const [username, slug, ...rest] = path.toLowerCase().replace(/^\//, "").split("/");
  if (!username || !slug || rest.length > 0) return undefined;
  const current = pathUnder(username, slug);
  const row = await queries.findBySlug(db, slug);
  if (row && articlePath(row) === current) return row;
  return queries.findByRetiredPath(db, current);
}

/** Whether an article that was public stood there until it was deleted. */
export async function wasDeleted(db: Db, path: string, now: Date): Promise<boolean> {
  const slug = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const row = await queries.findDeleted(db, { slug });
  return (
    row !== undefined &&
    articlePath(row) === path.toLowerCase() &&
    row.published_at !== null &&
    row.published_at <= now
  );
}

export type CountedArticle = Pick<queries.FullRow, "id" | "author_id">;

/** Counts a read of an article; clients whose copy is current read it too. */
export function noteRead(
  views: ViewCounter,
  { method, ip: address, headers, caller }: Reader,
  { row, at }: { row: CountedArticle; at: Date },
): void {
  if (method !== "GET") return;
  views.note({ articleId: row.id, authorId: row.author_id, viewerId: caller?.id, address, headers, at });
}

export async function findCounted(db: Db, id: number): Promise<CountedArticle> {
  const found = await queries.authorOf(db, id);
  if (found?.state !== "published") throw notFound();
  return { id, author_id: found.author_id };
}

export async function asAuthorReads(db: Db, id: number, options: view.ViewOptions) {
  const row = await queries.findById(db, id);
  if (row) return view.article(row, options);
  const deleted = await queries.findDeleted(db, { id });
  return deleted && { id, title: deleted.title, path: articlePath(deleted) };
}

type SummaryOptions = view.ViewOptions & { fragments: Fragments };

/** The articles in the order of `refs`, but for those that were unpublished meanwhile. */
export async function summaries(db: Db, refs: readonly Ref[], options: SummaryOptions): Promise<Fragment[]> {
  const known = await summariesById(db, refs, options);
  return refs.flatMap(({ article_id }) => known.get(article_id) ?? []);
}

/** Cached until the version or the year changes: dates of another year are written differently. */
export async function summariesById(
  db: Db,
  refs: readonly Ref[],
  { fragments, ...options }: SummaryOptions,
): Promise<Map<number, Fragment>> {
  const year = options.now.getUTCFullYear();
  const known = new Map<number, Fragment>();
  const missing: number[] = [];
  for (const { article_id, version } of refs) {
    const summary = fragments.get(article_id);
    if (summary?.version === version && summary.year === year) known.set(article_id, summary);
    else missing.push(article_id);
  }
  const rows = missing.length > 0 ? await queries.summaries(db, { ids: missing }) : [];
  for (const row of rows) {
    const json = JSON.stringify(view.summary(row, options));
    const summary = { ...fragmentOf(json), version: row.version, year };
    fragments.set(row.id, summary);
    known.set(row.id, summary);
  }
  return known;
}

const [OPENING, COMMA, CLOSING] = Buffer.from("[,]") as unknown as [number, number, number];

/** Its version is made of the digests, which is cheaper than hashing all bytes. */
export function arrayOf(items: readonly Fragment[]): Pick<Answer, "body" | "version"> {
  const body = Buffer.allocUnsafe(items.reduce((length, { json }) => length + json.length + 1, 2));
  let end = 0;
  body[end++] = OPENING;
  for (const { json } of items) {
    if (end > 1) body[end++] = COMMA;
    body.set(json, end);
    end += json.length;
  }
  body[end++] = CLOSING;
  return { body: body.subarray(0, end), version: items.map(({ digest }) => digest).join(" ") };
}
