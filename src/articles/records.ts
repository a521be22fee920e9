import type { Db } from "../db/connect.ts";
import { AppError } from "../errors.ts";
import { differs } from "../records/columns.ts";
import * as organizations from "../organizations/organizations.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { beginBulk, endBulk } from "../search/bulk.ts";
import * as tiers from "../search/tiers.ts";
import * as tags from "../tags/tags.ts";
import * as users from "../users/users.ts";
import * as canonicalUrls from "./canonical-urls.ts";
import { exportRecords } from "./record-export.ts";
import { type Known, type Row, toRow } from "./record-row.ts";
import { ArticleRecord } from "./record-schema.ts";
import * as publication from "./publication.ts";
import * as queries from "./queries.ts";
import * as store from "./record-store.ts";
import * as references from "./references.ts";
import * as retiredPaths from "./retired-paths.ts";

/** Articles of the community file. */
export const articleRecords: RecordType<ArticleRecord> = {
  type: "article",
  schema: ArticleRecord,
  keyOf: ({ slug, title }) => slug ?? title,
  write,
  read: exportRecords,
};

/** So many published articles are a big import. */
const STEP = 2_000;

/** What an import has changed of the counts so far: written down once, at its end. */
const pending = new WeakMap<ImportContext, publication.CountChanges>();

async function write(tx: Db, batch: Entry<ArticleRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch, context);
  const rows = await canonicalUrls.refuseTaken(tx, await rowsOf(batch, known, context), context);
  await resolveTags(tx, rows);
  await resolveSeries(tx, rows);
  const fresh = rows.filter((row) => row.existing === undefined);
  const changed = rows.filter((row) => row.existing !== undefined && differs(row.existing, row.columns));
  const before = await retiredPaths.pathsOf(tx, idsOf(changed));
  await canonicalUrls.release(tx, rows);
  const created = await store.insert(tx, fresh);
  await store.update(tx, changed);
  await store.removeEmptySeries(tx, seriesLeft(changed));
  const ids = [...created, ...idsOf(changed)];
  await retiredPaths.retire(tx, { before, ids });
  const changes = publication.noChanges();
  await publication.refresh(tx, ids, { now: context.now, changes });
  // Only now: a batch that fails before is undone, and what it counted must not stay.
  publication.add(pendingOf(context), changes);
  await grow(tx, context, changes.published);
  return {
    created: fresh.length,
    updated: changed.length,
    unchanged: rows.length - fresh.length - changed.length,
  };
}

/** How far an import has come, and whether nothing was published before it. */
interface Growth {
  isNew: boolean;
  published: number;
}
const growing = new WeakMap<ImportContext, Growth>();

/** Looks after the search index of an import that turns out to be big. */
async function grow(tx: Db, context: ImportContext, published: number): Promise<void> {
  const growth = growing.get(context) ?? { isNew: (await queries.publishedCount(tx)) === 0, published: 0 };
  growing.set(context, growth);
  const steps = Math.floor((growth.published + published) / STEP) - Math.floor(growth.published / STEP);
  const isFirst = growth.published < STEP;
  growth.published += published;
  if (steps === 0) return;
  if (isFirst) {
    await beginBulk(tx);
    context.atEnd(endBulk);
  }
  // To move everything afterwards would write all vectors twice. Where others publish meanwhile, they would have to wait for it.
  if (growth.isNew) await tiers.rebalance(tx);
}

/** The numbers of articles that are there already. */
function idsOf(rows: Row[]): number[] {
  return rows.flatMap(({ existing }) => existing?.id ?? []);
}

/** The series that articles have been taken out of. */
function seriesLeft(changed: Row[]): number[] {
  return changed.flatMap(({ existing, columns }) =>
    existing && existing.collection_id !== columns.collection_id ? (existing.collection_id ?? []) : [],
  );
}

async function lookUp(tx: Db, batch: Entry<ArticleRecord>[], { renderPool }: ImportContext): Promise<Known> {
  const names = batch.map(({ fields }) => fields.author);
  const groups = batch.flatMap(({ fields }) => fields.organization ?? []);
  const slugs = batch.map(({ fields }) => store.slugOf(fields));
  const bodies = batch.map(({ fields }) => fields.body_markdown);
  return {
    authors: await users.namesByUsername(tx, names),
    organizations: await organizations.idsByUsername(tx, groups),
    existing: await store.findBySlugs(tx, slugs),
    references: await references.find(tx, bodies, renderPool),
  };
}

/** The rows to be stored, without the records that can't be. Bodies are rendered side by side. */
async function rowsOf(batch: Entry<ArticleRecord>[], known: Known, context: ImportContext): Promise<Row[]> {
  const rows = await Promise.all(
    batch.map(async (entry) => {
      try {
        return await toRow(entry, known, context);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { bad: entry, reason: error.message };
      }
    }),
  );
  return rows.flatMap((row) => {
    if (!("reason" in row)) return [row];
    context.reject(row.bad, row.reason);
    return [];
  });
}

/** Replaces tags by those they are other names of. */
async function resolveTags(tx: Db, rows: Row[]): Promise<void> {
  const resolved = await tags.known(tx, [...new Set(rows.flatMap(({ columns }) => columns.tag_list))]);
  for (const { columns } of rows) {
    columns.tag_list = [...new Set(columns.tag_list.map((name) => resolved.get(name)?.name ?? name))];
  }
}

async function resolveSeries(tx: Db, rows: Row[]): Promise<void> {
  const wanted = rows.filter((row) => row.series !== null);
  const ids = await store.seriesIds(tx, wanted);
  for (const row of wanted) row.columns.collection_id = ids.get(store.seriesKey(row)) ?? null;
}

function pendingOf(context: ImportContext): publication.CountChanges {
  const changes = pending.get(context) ?? publication.noChanges();
  if (!pending.has(context)) {
    pending.set(context, changes);
    context.atEnd((tx) => publication.applyCounts(tx, changes));
  }
  return changes;
}
