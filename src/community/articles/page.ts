import { type RawBuilder, sql } from "kysely";
import type { Fragments } from "../../platform/cache.ts";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { articlePath, pathUnder } from "../../platform/paths.ts";
import type { Heading } from "../../content/text/page-html.ts";
import * as queries from "./queries.ts";

export type PageRow = queries.SummaryRow &
  Pick<queries.FullRow, "author_id" | "organization_id" | "collection_id"> &
  Pick<queries.FullRow, "video_source_url" | "video_thumbnail_url"> & {
    language: string | null;
    unpublish_reason: string | null;
    contents: string;
  };

interface Path {
  name: string;
  slug: string;
}

/** The value of `known` that leaves out the body. */
const NO_BODY = "no body";

function preparePage(condition: (key: RawBuilder<unknown>) => RawBuilder<boolean>) {
  return prepare<{ key: string; known: string }, PageRow & { html: string | null }>(
    (value, db) =>
      sql`${queries
        .selectSummaries(db)
        .select(["articles.author_id", "articles.organization_id", "articles.language", "articles.contents"])
        .select("articles.unpublish_reason")
        .select(["articles.video_source_url", "articles.video_thumbnail_url"])
        .select(
          sql<
            string | null
          >`case when ${value("known")}::text not in (articles.version::text, ${sql.lit(NO_BODY)})
          then coalesce(articles.page_html, articles.body_html) end`.as("html"),
        )
        .where(condition(value("key")))
        .where("articles.state", "<>", sql.lit("deleted"))}`,
  );
}

const bySlug = preparePage((slug) => sql`articles.slug = ${slug}::text`);
const byFormerPath = preparePage(
  (path) => sql`articles.id = (select article_id from retired_paths where path = ${path}::text)`,
);

export async function findByPath(db: Db, path: Path): Promise<PageRow | undefined> {
  return (await find(db, path, NO_BODY))?.row;
}

/** An article with the HTML of its body, which `fragments` keep until the version of the article changes. */
export async function findWithBody(db: Db, path: Path, fragments: Fragments) {
  const key = `page:${pathUnder(path.name, path.slug).toLowerCase()}`;
  const known = fragments.get(key);
  const found = await find(db, path, known?.digest ?? "");
  if (found === undefined) return undefined;
  const { row, html } = found;
  if (html !== null) fragments.set(key, { json: Buffer.from(html), digest: row.version });
  return { row, html: () => html ?? known?.json.toString() ?? "" };
}

async function find(db: Db, { name, slug }: Path, known: string) {
  const path = pathUnder(name, slug).toLowerCase();
  const [current] = await bySlug(db, { key: slug.toLowerCase(), known });
  const isThere = current !== undefined && articlePath(current) === path;
  const found = isThere ? current : (await byFormerPath(db, { key: path, known: NO_BODY }))[0];
  if (found === undefined) return undefined;
  const { html, ...row } = found;
  return { row, html };
}

export function contentsOf(row: PageRow): Heading[] {
  return JSON.parse(row.contents) as Heading[];
}
