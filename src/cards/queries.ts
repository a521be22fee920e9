import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../db/connect.ts";

/** What stands on the card of a published article. */
export function findPublished(db: Db, id: number) {
  return db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .select(["articles.title", "users.id as author_id", "users.name as author_name"])
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom("organizations")
          .select("name")
          .whereRef("organizations.id", "=", "articles.organization_id"),
      ).as("organization"),
    )
    .where("articles.id", "=", id)
    .where("articles.state", "=", "published")
    .executeTakeFirst();
}
