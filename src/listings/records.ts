import * as references from "../articles/references.ts";
import * as organizations from "../organizations/organizations.ts";
import { recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
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
  read: byId(recordQueries.listAfter, ({ tag_list: tags, ...row }) => ({
    ...row,
    tags: tags.length > 0 ? tags : undefined,
  })),
});
