import { Type } from "typebox";
import { differs, given } from "../records/columns.ts";
import { MAX_RECORD_ID } from "../records/identity.ts";
import { recordType } from "../records/driver.ts";
import * as queries from "./record-queries.ts";

const CategoryRecord = Type.Object({
  slug: Type.String({
    pattern: "^[0-9a-z_-]{1,50}$",
    description: "1 to 50 of the letters a-z, digits, - and _",
  }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});

/** The categories of listings in the community file. Every site has some from the start. */
export const categoryRecords = recordType({
  type: "listing_category",
  schema: CategoryRecord,
  keyOf: ({ slug }) => slug,
  table: "listing_categories",
  key: ({ fields }) => ({ slug: fields.slug }),
  locks: true,
  columns: ({ fields: { name, position }, existing }) => {
    const columns = { name, ...given("position", position, Number) };
    const isChanged = existing !== undefined && differs(existing, columns);
    return isChanged ? { ...columns, standard: false } : columns;
  },
  read: async function* (db) {
    yield* await queries.listOwnCategories(db);
  },
});
