import { type Insertable, type Selectable, type SqlBool, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { Listings } from "../../platform/db/tables.ts";
import { allWords } from "../../platform/db/values.ts";
import { byline } from "../users/columns.ts";

export type StoredListing = Selectable<Listings>;
export type NewListing = Omit<Insertable<Listings>, "slug">;

export const { lock, insertWithSlug, update } = rowsOf("listings");

function select(db: Db) {
  return db
    .selectFrom("listings")
    .innerJoin("listing_categories", "listing_categories.id", "listings.category_id")
    .select(["listings.id", "listings.author_id", "listings.organization_id", "listings.category_id"])
    .select(["listings.title", "listings.slug", "listings.body_markdown", "listings.body_html"])
    .select(["listings.published", "listings.tag_list", "listings.location", "listings.expires_at"])
    .select(["listings.bumped_at", "listings.created_at", "listing_categories.slug as category"])
    .select("listing_categories.name as category_name")
    .select(byline("listings"));
}

export function findById(db: Db, id: number) {
  return select(db).where("listings.id", "=", id).executeTakeFirst();
}

export type ListingRow = NonNullable<Awaited<ReturnType<typeof findById>>>;

export interface ListFilter {
  categoryId?: number | undefined;
  organizationId?: number | undefined;
  now: Date;
}

export function list(db: Db, filter: ListFilter, { limit, offset }: { limit: number; offset: number }) {
  const page = shown(db, filter).limit(limit).offset(offset);
  return select(db)
    .where("listings.id", "in", page)
    .orderBy("listings.bumped_at", "desc")
    .orderBy("listings.id", "desc")
    .execute();
}

/** Reads nothing but an index. */
export function shown(db: Db, { categoryId, organizationId, now }: ListFilter) {
  let found = db
    .selectFrom("listings as shown")
    .select("shown.id")
    .where("shown.published", "=", true)
    .where((eb) => eb.or([eb("shown.expires_at", "is", null), eb("shown.expires_at", ">", now)]))
    .orderBy("shown.bumped_at", "desc")
    .orderBy("shown.id", "desc");
  if (categoryId !== undefined) found = found.where("shown.category_id", "=", categoryId);
  if (organizationId !== undefined) found = found.where("shown.organization_id", "=", organizationId);
  return found;
}

export async function replaceTag(
  tx: Db,
  alias: string,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from listings where tag_list @> array[${alias}] and id > ${after}
    order by id limit ${limit} for no key update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`update listings set tag_list = replace_alias(tag_list, ${alias}) where id = any(${ids}::int[])`.execute(
    tx,
  );
  return ids;
}

export function listAfter(db: Db, id: number, limit: number) {
  return db
    .selectFrom("listings")
    .innerJoin("users", "users.id", "listings.author_id")
    .innerJoin("listing_categories", "listing_categories.id", "listings.category_id")
    .leftJoin("organizations", "organizations.id", "listings.organization_id")
    .selectAll("listings")
    .select(["users.username as author", "organizations.username as organization"])
    .select("listing_categories.slug as category")
    .where("listings.id", ">", id)
    .orderBy("listings.id")
    .limit(limit)
    .execute();
}

export async function categoryIds(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom("listing_categories").select(["slug", "id"]).execute();
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

export function listOwnCategories(db: Db) {
  return db
    .selectFrom("listing_categories")
    .select(["slug", "name", "id", "position"])
    .where("standard", "=", false)
    .orderBy("id")
    .execute();
}

export function categories(db: Db) {
  return db.selectFrom("listing_categories").select(["id", "slug", "name"]).orderBy("position").execute();
}

/** Slugs are unique over all categories. */
export async function findBySlug(db: Db, slug: string): Promise<ListingRow | undefined> {
  if (!/^[\w-]{1,255}$/.test(slug)) return undefined;
  return select(db)
    .where("listings.slug", "=", slug.toLowerCase())
    .where("published", "=", true)
    .executeTakeFirst();
}

/** Listings that readers see with all these words, the last bumped first. */
export function search(db: Db, { q, now, limit }: { q: string; now: Date; limit: number }) {
  return select(db)
    .where("listings.id", "in", shown(db, { now }).clearOrderBy())
    .where(
      sql<SqlBool>`to_tsvector('simple', listings.title || ' ' || listings.body_markdown) @@ ${allWords(q)}`,
    )
    .orderBy("listings.bumped_at", "desc")
    .limit(limit)
    .execute();
}
