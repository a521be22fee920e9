import type { Db } from "../db/connect.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import type { ArticleRecord } from "./record-schema.ts";

const PAGE = 200;

/** All articles by number, a page at a time; deleted ones are left out. */
export async function* exportRecords(db: Db): AsyncGenerator<ArticleRecord> {
  for await (const rows of inPages((after) => page(db, after))) {
    for (const row of rows) yield toRecord(row);
  }
}

function page(db: Db, afterId: number) {
  return db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .leftJoin("organizations", "organizations.id", "articles.organization_id")
    .leftJoin("collections", "collections.id", "articles.collection_id")
    .selectAll("articles")
    .select([
      "users.username as author",
      "organizations.username as organization",
      "collections.slug as series",
    ])
    .where("articles.id", ">", afterId)
    .where("articles.state", "<>", "deleted")
    .orderBy("articles.id")
    .limit(PAGE)
    .execute();
}

type ExportRow = Awaited<ReturnType<typeof page>>[number];

/**
 * Keys in the order of the file; what is null or the default is left out. Where the body has front
 * matter, an empty value says that there is none whatever the front matter says.
 */
function toRecord(row: ExportRow): ArticleRecord {
  const none = parseFrontMatter(row.body_markdown).hasBlock ? "" : null;
  const isPublished = row.state === "published" || row.state === "scheduled";
  return {
    slug: row.slug,
    author: row.author,
    title: row.title,
    body_markdown: row.body_markdown,
    id: row.id,
    ...given("organization", row.organization),
    description: row.description,
    ...((row.tag_list.length > 0 || none === "") && { tags: row.tag_list }),
    ...given("series", row.series ?? none),
    ...given("canonical_url", row.canonical_url ?? none),
    ...given("main_image", row.main_image ?? none),
    published: isPublished,
    ...given(
      isPublished ? "published_at" : "first_published_at",
      row.published_at && toIso(row.published_at),
    ),
    created_at: toIso(row.created_at),
    ...given("edited_at", row.edited_at && toIso(row.edited_at)),
    ...given("crossposted_at", row.crossposted_at && toIso(row.crossposted_at)),
    ...given("video_source_url", row.video_source_url ?? none),
    ...given("video_thumbnail_url", row.video_thumbnail_url),
    ...given("video_duration_seconds", row.video_duration_seconds),
    ...given("imported_reactions_count", row.imported_reactions_count || null),
    ...given("imported_page_views_count", row.imported_page_views_count || null),
    // The reactions are records of their own, which count again when they are imported.
    ...given("score", row.points === 0 ? null : row.score - row.reactions_count),
  };
}

function given<Key extends string, Value>(key: Key, value: Value | null): { [K in Key]?: Value } {
  return value === null ? {} : ({ [key]: value } as { [K in Key]?: Value });
}
