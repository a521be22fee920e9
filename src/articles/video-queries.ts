import { type InferResult, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";

export type VideoRow = InferResult<ReturnType<typeof select>>[number];

const statement = prepare<{ ids: number[] }, VideoRow>(
  (value, db) => sql`${select(db).where("articles.id", "=", sql<number>`any(${value("ids")}::int[])`)}`,
);

/** What is shown of articles with a video, in this order, for those that are still published. */
export async function videos(db: Db, ids: number[]): Promise<VideoRow[]> {
  if (ids.length === 0) return [];
  const rows = await statement(db, { ids });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function select(db: Db) {
  return db
    .selectFrom("articles")
    .select(["articles.id", "title", "slug", "author_id", "main_image"])
    .select(["video_source_url", "video_thumbnail_url", "video_duration_seconds"])
    .select((eb) => [
      jsonObjectFrom(
        eb.selectFrom("users").select(["name", "username"]).whereRef("users.id", "=", "articles.author_id"),
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
    .where("state", "=", "published");
}
