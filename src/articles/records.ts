import type { Db } from "../db/connect.ts";
import * as organizations from "../organizations/organizations.ts";
import { recordType } from "../records/driver.ts";
import type { ImportContext, ImportState } from "../records/record-type.ts";
import { updateRows } from "../records/rows.ts";
import { beginBulk, endBulk } from "../search/bulk.ts";
import { compactTiers } from "../search/compaction.ts";
import * as tiers from "../search/tiers.ts";
import * as tags from "../tags/tags.ts";
import * as users from "../users/users.ts";
import * as publication from "./publication.ts";
import { publishedCount } from "./lists/page.ts";
import * as canonicalUrls from "./record-canonical-urls.ts";
import { readRecords } from "./record-export.ts";
import { type ArticleRow, type Changed, slugOf, toColumns } from "./record-row.ts";
import { ArticleRecord } from "./record-schema.ts";
import * as store from "./record-store.ts";
import * as references from "./references.ts";
import * as retiredPaths from "./retired-paths.ts";
import * as series from "./series.ts";

/** Articles of the community file. */
export const articleRecords = recordType({
  type: "article",
  schema: ArticleRecord,
  keyOf: ({ slug, title }) => slug ?? title,
  table: "articles",
  references: { author: users.byUsername, organization: organizations.byUsername },
  lookUp: async (tx, records, { renderPool }) => {
    const fields = records.map((record) => record.fields);
    const authors = fields.map(({ author }) => author);
    const bodies = fields.map(({ body_markdown }) => body_markdown);
    return {
      authors: await users.namesByUsername(tx, authors),
      references: await references.find(tx, bodies, renderPool),
    };
  },
  key: ({ fields }) => ({ slug: slugOf(fields) }),
  find: (tx, keys) => store.findBySlugs(tx, keys),
  columns: toColumns,
  complete,
  update,
  after: async (tx, { created, changed }, context) => {
    const newIds = created.map(({ id }) => id);
    await retiredPaths.retire(tx, { before: new Map(), ids: newIds });
    const ids = [...newIds, ...changed.map(({ before }) => before.id)];
    const changes = publication.noChanges();
    await publication.refresh(tx, ids, { now: context.now, changes });
    publication.add(context.state(COUNTS), changes);
    await grow(tx, context, changes.published);
  },
  read: readRecords,
});

/** The changes of the counts: every writer who publishes waits for them. */
const COUNTS: ImportState<publication.CountChanges> = {
  initial: publication.noChanges,
  atEnd: publication.applyCounts,
};

/** Leaves out what has a canonical URL of another, and resolves tags and series. */
async function complete(tx: Db, records: ArticleRow[], context: ImportContext): Promise<ArticleRow[]> {
  const rows = await canonicalUrls.refuseTaken(tx, records, context);
  const names = new Set(rows.flatMap(({ columns }) => columns?.tag_list ?? []));
  const known = await tags.known(tx, [...names]);
  const collectionIds = await store.seriesIds(tx, rows);
  for (const { entry, columns } of rows) {
    if (!columns) continue;
    columns.tag_list = [...new Set(columns.tag_list?.map((name) => known.get(name)?.name ?? name))];
    columns.collection_id = collectionIds.get(entry) ?? null;
  }
  await canonicalUrls.release(tx, rows);
  return rows;
}

async function update(tx: Db, changed: Changed[]): Promise<void> {
  const ids = changed.map(({ before }) => before.id);
  const paths = await retiredPaths.pathsOf(tx, ids);
  await updateRows(tx, "articles", changed);
  const left = changed.flatMap(({ before, change }) =>
    change.collection_id === undefined ? [] : (before.collection_id ?? []),
  );
  await series.removeEmpty(tx, left);
  await retiredPaths.retire(tx, { before: paths, ids });
}

/** This many published articles are a big import. */
const STEP = 2_000;

/** How far an import has come. */
interface Growth {
  /** Whether nothing was published before it; undefined until its first batch. */
  isNew: boolean | undefined;
  published: number;
}
const GROWTH: ImportState<Growth> = {
  initial: () => ({ isNew: undefined, published: 0 }),
  atEnd: async (tx, { published }) => {
    if (published >= STEP) await endBulk(tx);
  },
  afterCommit: async (db, { isNew, published }) => {
    if (isNew === true && published >= STEP) await compactTiers(db);
  },
};

/** Maintains the search index during an import that turns out to be big. */
async function grow(tx: Db, context: ImportContext, published: number): Promise<void> {
  const growth = context.state(GROWTH);
  growth.isNew ??= (await publishedCount(tx)) === 0;
  const before = Math.floor(growth.published / STEP);
  growth.published += published;
  const after = Math.floor(growth.published / STEP);
  if (after === before) return;
  if (before === 0) await beginBulk(tx);
  // To move everything afterwards would write all vectors twice. Where others publish meanwhile, they would have to wait for it.
  if (growth.isNew) await tiers.rebalance(tx);
}
