import type { Insertable, Updateable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { ListingCategories, Listings } from "../db/tables.ts";
import { anyText } from "../db/values.ts";

/** Those of these listings that are there, which nobody else changes until the transaction ends. */
export function lockBySlug(tx: Db, slugs: readonly string[]) {
  return tx
    .selectFrom("listings")
    .selectAll()
    .where("slug", "=", anyText(slugs))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export async function insert(tx: Db, listing: Insertable<Listings>): Promise<void> {
  await tx.insertInto("listings").values(listing).execute();
}

const PAGE = 500;

/** Listings by number behind a given one, with the names of what they refer to. */
export function listAfter(db: Db, id: number) {
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
    .limit(PAGE)
    .execute();
}

export type ExportRow = Awaited<ReturnType<typeof listAfter>>[number];

export function categoryIds(db: Db) {
  return db.selectFrom("listing_categories").select(["slug", "id"]).execute();
}

/** The same for categories as `lockBySlug` for listings. */
export function lockCategories(tx: Db, slugs: readonly string[]) {
  return tx
    .selectFrom("listing_categories")
    .selectAll()
    .where("slug", "=", anyText(slugs))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export async function insertCategory(tx: Db, category: Insertable<ListingCategories>): Promise<void> {
  await tx.insertInto("listing_categories").values(category).execute();
}

export async function updateCategory(
  tx: Db,
  id: number,
  change: Updateable<ListingCategories>,
): Promise<void> {
  await tx.updateTable("listing_categories").set(change).where("id", "=", id).execute();
}

/** Without those that every site has. */
export function listOwnCategories(db: Db) {
  return db
    .selectFrom("listing_categories")
    .select(["slug", "name", "id", "position"])
    .where("standard", "=", false)
    .orderBy("id")
    .execute();
}
