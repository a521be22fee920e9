import * as references from "../articles/references.ts";
import type { Db } from "../db/connect.ts";
import * as organizations from "../organizations/organizations.ts";
import { recordType } from "../records/driver.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import * as tags from "../tags/tags.ts";
import { parseTagList } from "../text/tags.ts";
import * as users from "../users/users.ts";
import * as recordQueries from "./record-queries.ts";
import { ListingRecord, slugOf, toColumns } from "./record-row.ts";

/** Listings of the community file. */
export const listingRecords = recordType({
  type: "listing",
  schema: ListingRecord,
  keyOf: ({ slug, title }) => slug ?? title,
  table: "listings",
  references: {
    author: users.byUsername,
    organization: organizations.byUsername,
    category: { find: recordQueries.categoryIds, spell: (slug) => slug.toLowerCase() },
  },
  lookUp: async (tx, records, { renderPool }) => {
    const bodies = records.map(({ fields }) => fields.body_markdown);
    const names = new Set(records.flatMap(({ fields }) => parseTagList(fields.tags ?? [])));
    return {
      tags: await tags.known(tx, [...names]),
      references: await references.find(tx, bodies, renderPool),
    };
  },
  key: ({ fields }) => ({ slug: slugOf(fields) }),
  locks: true,
  columns: toColumns,
  read,
});

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
