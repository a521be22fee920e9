import type { Db } from "../db/connect.ts";
import { byId } from "../records/pages.ts";
import { parseFrontMatter } from "../text/front-matter.ts";

/** All articles by id; deleted ones are left out. */
export const readRecords = byId(page, toRecord);

/** Bodies are large. */
const PAGE = 200;

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

/** Where the body has front matter, an empty value says that there is none, whatever the front matter says. */
function toRecord(row: ExportRow): object {
  const none = parseFrontMatter(row.body_markdown).hasBlock ? "" : null;
  const isPublished = row.state === "published" || row.state === "scheduled";
  return {
    ...row,
    tags: row.tag_list.length > 0 || none === "" ? row.tag_list : null,
    series: row.series ?? none,
    canonical_url: row.canonical_url ?? none,
    main_image: row.main_image ?? none,
    published: isPublished,
    published_at: isPublished ? row.published_at : null,
    first_published_at: isPublished ? null : row.published_at,
    video_source_url: row.video_source_url ?? none,
    imported_reactions_count: row.imported_reactions_count || null,
    imported_page_views_count: row.imported_page_views_count || null,
    // The reactions are records of their own, which count again when they are imported.
    score: row.points === 0 ? null : row.score - row.reactions_count,
  };
}
