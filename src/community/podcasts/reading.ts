import type { Db } from "../../platform/db/connect.ts";
import type { Slice } from "../../platform/db/values.ts";
import { canBeSlug } from "./podcasts.ts";

/** Published podcasts, those with the newest episodes first. */
export function list(db: Db, { limit, offset }: Slice) {
  return db
    .selectFrom("podcasts")
    .select(["id", "slug", "title", "image_url"])
    .select((eb) =>
      eb
        .selectFrom("podcast_episodes")
        .select(({ fn }) => fn.max("podcast_episodes.published_at").as("newest_at"))
        .whereRef("podcast_id", "=", "podcasts.id")
        .where("reachable", "=", true)
        .as("newest_at"),
    )
    .where("published", "=", true)
    .orderBy("newest_at", (order) => order.desc().nullsLast())
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function find(db: Db, slug: string) {
  if (!canBeSlug(slug)) return undefined;
  return db
    .selectFrom("podcasts")
    .select(["id", "slug", "title", "description", "image_url", "website_url", "feed_url"])
    .where("slug", "=", slug)
    .where("published", "=", true)
    .executeTakeFirst();
}

/** Episodes that can be heard, the newest first. */
export function episodes(db: Db, podcastId: number, { limit, offset }: Slice) {
  return db
    .selectFrom("podcast_episodes")
    .select(["id", "slug", "title", "published_at", "duration_seconds"])
    .where("podcast_id", "=", podcastId)
    .where("reachable", "=", true)
    .orderBy("published_at", (order) => order.desc().nullsLast())
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** An episode of a published podcast, also one that can't be heard at present. */
export async function findEpisode(db: Db, podcast: string, slug: string) {
  if (!canBeSlug(podcast)) return undefined;
  return db
    .selectFrom("podcast_episodes as episode")
    .innerJoin("podcasts", "podcasts.id", "episode.podcast_id")
    .select(["episode.id", "episode.podcast_id", "episode.slug", "episode.title", "episode.media_url"])
    .select(["episode.summary", "episode.image_url", "episode.published_at", "episode.duration_seconds"])
    .select(["episode.reachable", "podcasts.slug as podcast_slug", "podcasts.title as podcast_title"])
    .select(["podcasts.image_url as podcast_image_url", "podcasts.owner_id"])
    .where("podcasts.slug", "=", podcast)
    .where("podcasts.published", "=", true)
    .where("episode.slug", "=", slug)
    .executeTakeFirst();
}
