import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import * as organizations from "../organizations/organizations.ts";
import { recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import type { Entry, ImportContext, ImportState } from "../records/record-type.ts";
import * as tags from "../tags/tags.ts";
import { parseFrontMatter } from "../../content/text/front-matter.ts";
import { recordSlug } from "../../content/text/slug.ts";
import * as users from "../users/users.ts";
import * as canonicalUrls from "./canonical-urls.ts";
import * as counting from "./counting.ts";
import { beginBatch, prefetch, termsOf } from "./record-bodies.ts";
import * as readModel from "./read-model.ts";
import { ArticleRecord, type Existing, type ImportedArticle, seriesOf, toColumns } from "./record-columns.ts";
import * as retiredPaths from "./retired-paths.ts";
import * as series from "./series.ts";
import { writeChanges } from "./transition.ts";

export const articleRecords = recordType({
  type: "article",
  schema: ArticleRecord,
  keyOf: ({ slug, title }) => slug ?? title,
  table: "articles",
  prefetch,
  references: { author: users.byUsername, organization: organizations.byUsername },
  lookUp: async (tx, records, context) => {
    const fields = records.map((record) => record.fields);
    const authors = fields.map(({ author }) => author);
    return {
      authors: await users.namesByUsername(tx, authors),
      renderContext: await beginBatch(tx, fields, context),
    };
  },
  key: ({ fields }) => ({ slug: recordSlug(fields) }),
  locks: true,
  columns: toColumns,
  complete,
  update: writeChanges,
  after: async (tx, { created, changed }, context) => {
    const newIds = created.map(({ id }) => id);
    await retiredPaths.retire(tx, { before: new Map(), ids: newIds });
    const written = [...created, ...changed.map(({ before }) => before)];
    const ids = written.map(({ id }) => id);
    const terms = termsOf(written, context);
    const changes = await readModel.project(tx, ids, { now: context.now, terms });
    counting.add(context.state(COUNTS), changes);
  },
  read: byId((db, after) => page(db, after), toRecord),
});

export function recordsOf(db: Db, authorId: number): AsyncGenerator<object> {
  return byId((db, after) => page(db, after, authorId), toRecord)(db, { withSecrets: false });
}

const COUNTS: ImportState<counting.CountChanges> = {
  initial: counting.noChanges,
  atEnd: counting.apply,
};

async function complete(
  tx: Db,
  records: ImportedArticle[],
  context: ImportContext,
): Promise<ImportedArticle[]> {
  const rows = await canonicalUrls.refuseTaken(tx, records, context);
  const names = new Set(rows.flatMap(({ columns }) => columns?.tag_list ?? []));
  const known = await tags.known(tx, [...names]);
  const collectionIds = await seriesIds(tx, rows);
  for (const { entry, columns } of rows) {
    if (!columns) continue;
    columns.tag_list = [...new Set(columns.tag_list?.map((name) => known.get(name)?.name ?? name))];
    columns.collection_id = collectionIds.get(entry) ?? null;
  }
  await canonicalUrls.release(tx, rows);
  return rows;
}

const seriesKey = ({ user_id, slug }: { user_id: number; slug: string }) => `${user_id} ${slug}`;

async function seriesIds(tx: Db, rows: ImportedArticle[]): Promise<Map<Entry<ArticleRecord>, number>> {
  const named = rows.flatMap(({ entry, columns }) => {
    const slug = seriesOf(entry.fields);
    return slug === undefined ? [] : { entry, user_id: columns?.author_id ?? 0, slug };
  });
  if (named.length === 0) return new Map();
  const wanted = [...new Map(named.map((one) => [seriesKey(one), one])).values()];
  const found = await series.open(
    tx,
    wanted.map(({ user_id, slug }) => ({ user_id, slug })),
  );
  const ids = new Map(found.map((row) => [seriesKey(row), row.id]));
  return new Map(named.map((one) => [one.entry, ids.get(seriesKey(one)) ?? 0]));
}

/** Bodies are large. */
const PAGE = 200;

type ExportRow = Existing & { author: string; organization: string | null; series: string | null };

async function page(db: Db, afterId: number, authorId?: number): Promise<ExportRow[]> {
  const ofAuthor = authorId === undefined ? sql`` : sql`and author_id = ${authorId}`;
  const { rows } = await sql<ExportRow>`
    select articles.*, users.username as author, organizations.username as organization, collections.slug as series
    from articles join users on users.id = author_id
    left join organizations on organizations.id = organization_id
    left join collections on collections.id = collection_id
    where articles.id > ${afterId} and state <> 'deleted' ${ofAuthor} order by articles.id limit ${PAGE}`.execute(
    db,
  );
  return rows;
}

/** Writes an empty value where the front matter of the body has to be overridden. */
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
    // Reactions are records, which count again at import.
    score: row.points === 0 ? null : row.score - row.reactions_count,
  };
}
