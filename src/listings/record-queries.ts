import type { Db } from "../db/connect.ts";

/** Listings by number behind a given one, with the names of what they refer to. */
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

/** All categories: there are few. */
export async function categoryIds(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom("listing_categories").select(["slug", "id"]).execute();
  return new Map(rows.map(({ slug, id }) => [slug, id]));
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
