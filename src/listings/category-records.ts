import { type Static, Type } from "typebox";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";
import { differs, given } from "../records/columns.ts";
import { MAX_RECORD_ID, reserveIds } from "../records/identity.ts";
import type { Entry, RecordType, Tally } from "../records/record-type.ts";

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
  const existing = await findAll(
    tx,
    batch.map(({ fields }) => fields.slug),
  );
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
      await tx.insertInto("listing_categories").values(row).execute();
      tally.created += 1;
    } else if (differs(known, columns)) {
      const changed = { ...columns, standard: false };
      await tx.updateTable("listing_categories").set(changed).where("id", "=", known.id).execute();
      tally.updated += 1;
    } else tally.unchanged += 1;
  }
  return tally;
}

async function findAll(tx: Db, slugs: string[]) {
  const rows = await tx
    .selectFrom("listing_categories")
    .selectAll()
    .where("slug", "=", anyText(slugs))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.slug, row]));
}

/** Without those that every site has. */
async function* read(db: Db): AsyncGenerator<CategoryRecord> {
  yield* await db
    .selectFrom("listing_categories")
    .select(["slug", "name", "id", "position"])
    .where("standard", "=", false)
    .orderBy("id")
    .execute();
}
