import { sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

const PUBLISHER_COLUMNS = ["id", "username", "name", "summary", "profile_image"] as const;

/** The person or organization of this lower-case username; the two share one name space. */
export function findPublisher(db: Db, username: string) {
  return db
    .selectFrom("users")
    .select(PUBLISHER_COLUMNS)
    .select(sql<"user" | "organization">`'user'`.as("kind"))
    .where("username", "=", username)
    .unionAll(
      db
        .selectFrom("organizations")
        .select(PUBLISHER_COLUMNS)
        .select(sql<"user" | "organization">`'organization'`.as("kind"))
        .where("username", "=", username),
    )
    .executeTakeFirst();
}

/** What a feed shows of those of these articles that are published, in no order; without bodies of more than so many bytes. */
export function entries(db: Db, ids: readonly number[], { maxBodyBytes }: { maxBodyBytes: number }) {
  return db
    .selectFrom("articles")
    .select(["id", "slug", "title", "description", "tag_list", "main_image", "edited_at"])
    .select((eb) => [
      eb.ref("published_at").$notNull().as("published_at"),
      // The size is known without reading the body.
      sql<string | null>`case when octet_length(body_html) <= ${maxBodyBytes} then body_html end`.as(
        "body_html",
      ),
      jsonObjectFrom(
        eb
          .selectFrom("users")
          .select(["id", "username", "name", "profile_image"])
          .whereRef("users.id", "=", "articles.author_id"),
      )
        .$notNull()
        .as("user"),
      jsonObjectFrom(
        eb
          .selectFrom("organizations")
          .select("username")
          .whereRef("organizations.id", "=", "articles.organization_id"),
      ).as("organization"),
    ])
    .where("id", "=", anyInt(ids))
    .where("state", "=", "published")
    .execute();
}

export type EntryRow = Awaited<ReturnType<typeof entries>>[number];
