import type { Db } from "../db/connect.ts";
import { AppError } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { differs } from "../records/columns.ts";
import { reserveIds } from "../records/identity.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import * as tags from "../tags/tags.ts";
import { parseTagList } from "../text/tags.ts";
import * as users from "../users/users.ts";
import { render } from "./prepared.ts";
import * as queries from "./queries.ts";
import * as recordQueries from "./record-queries.ts";
import { type Columns, type Existing, type Known, ListingRecord, slugOf, toColumns } from "./record-row.ts";

/** Listings of the community file. */
export const listingRecords: RecordType<ListingRecord> = {
  type: "listing",
  schema: ListingRecord,
  keyOf: ({ slug, title }) => slug ?? title,
  write,
  read,
};

/** A record on its way into the database. */
interface Row {
  wantedId: number | undefined;
  existing: Existing | undefined;
  columns: Columns;
}

async function write(tx: Db, batch: Entry<ListingRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const rows: Row[] = [];
  for (const entry of batch) {
    const row = await toRow(tx, entry, { known, context });
    if (row) rows.push(row);
  }
  const fresh = rows.filter(({ existing }) => existing === undefined);
  await insert(tx, fresh);
  const tally: Tally = { created: fresh.length, updated: 0, unchanged: 0 };
  for (const { existing, columns } of rows) {
    if (!existing) continue;
    const isChanged = differs(existing, columns);
    if (isChanged) await queries.update(tx, existing.id, columns);
    tally[isChanged ? "updated" : "unchanged"] += 1;
  }
  return tally;
}

async function lookUp(tx: Db, batch: Entry<ListingRecord>[]): Promise<Known> {
  const records = batch.map(({ fields }) => fields);
  const authors = records.map(({ author }) => author);
  const groups = records.flatMap(({ organization }) => organization ?? []);
  const existing = await recordQueries.lockBySlug(tx, records.map(slugOf));
  const categories = await recordQueries.categoryIds(tx);
  return {
    authors: await users.idsByUsername(tx, authors),
    organizations: await organizations.idsByUsername(tx, groups),
    categories: new Map(categories.map(({ slug, id }) => [slug, id])),
    existing: new Map(existing.map((row) => [row.slug, row])),
    tags: await tags.known(tx, [...new Set(records.flatMap((record) => parseTagList(record.tags ?? [])))]),
  };
}

async function toRow(
  tx: Db,
  entry: Entry<ListingRecord>,
  { known, context }: { known: Known; context: ImportContext },
): Promise<Row | undefined> {
  const { fields } = entry;
  const { now, renderPool } = context;
  try {
    const columns = await toColumns(fields, {
      known,
      now,
      render: (markdown) => render({ db: tx, renderer: renderPool }, markdown),
    });
    return { wantedId: fields.id, existing: known.existing.get(columns.slug), columns };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.reject(entry, error.message);
    return undefined;
  }
}

async function insert(tx: Db, rows: Row[]): Promise<void> {
  const ids = await reserveIds(
    tx,
    "listings",
    rows.map(({ wantedId }) => wantedId),
  );
  for (const [index, { columns }] of rows.entries()) {
    const id = ids[index];
    await recordQueries.insert(tx, { ...columns, ...(id !== undefined && { id }) });
  }
}

async function* read(db: Db): AsyncGenerator<ListingRecord> {
  for await (const rows of inPages((after) => recordQueries.listAfter(db, after))) {
    for (const row of rows) yield toRecord(row);
  }
}

function toRecord(row: recordQueries.ExportRow): ListingRecord {
  const { slug, author, title, body_markdown, category, id, organization, location, published } = row;
  return {
    slug,
    author,
    title,
    body_markdown,
    category,
    id,
    ...(organization !== null && { organization }),
    ...(row.tag_list.length > 0 && { tags: row.tag_list }),
    published,
    ...(location !== null && { location }),
    ...(row.expires_at && { expires_at: toIso(row.expires_at) }),
    bumped_at: toIso(row.bumped_at),
    created_at: toIso(row.created_at),
  };
}
