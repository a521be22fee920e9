import { type Static, Type } from "typebox";
import type { Db } from "../db/connect.ts";
import { differs, given } from "../records/columns.ts";
import { MAX_RECORD_ID, reserveIds } from "../records/identity.ts";
import type { Entry, RecordType, Tally } from "../records/record-type.ts";
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
type CategoryRecord = Static<typeof CategoryRecord>;

/** The categories of listings in the community file. Every site has some from the start. */
export const categoryRecords: RecordType<CategoryRecord> = {
  type: "listing_category",
  schema: CategoryRecord,
  keyOf: ({ slug }) => slug,
  write,
  read,
};

async function write(tx: Db, batch: Entry<CategoryRecord>[]): Promise<Tally> {
  const rows = await queries.lockCategories(
    tx,
    batch.map(({ fields }) => fields.slug),
  );
  const existing = new Map(rows.map((row) => [row.slug, row]));
  const wanted = batch.map(({ fields }) => (existing.has(fields.slug) ? undefined : fields.id));
  const ids = await reserveIds(tx, "listing_categories", wanted);
  const tally: Tally = { created: 0, updated: 0, unchanged: 0 };
  for (const [index, { fields }] of batch.entries()) {
    const { slug, name, position } = fields;
    const columns = { name, ...given("position", position, Number) };
    const known = existing.get(slug);
    const id = ids[index];
    if (!known) {
      const row = { slug, ...columns, ...(id !== undefined && { id }) };
      await queries.insertCategory(tx, row);
      tally.created += 1;
    } else if (differs(known, columns)) {
      const changed = { ...columns, standard: false };
      await queries.updateCategory(tx, known.id, changed);
      tally.updated += 1;
    } else tally.unchanged += 1;
  }
  return tally;
}

async function* read(db: Db): AsyncGenerator<CategoryRecord> {
  yield* await queries.listOwnCategories(db);
}
