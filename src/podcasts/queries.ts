import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { PodcastEpisodes, Podcasts } from "../db/tables.ts";
import { anyInt, anyText, countRows } from "../db/values.ts";
import { recordedPicture } from "../records/pictures.ts";

export type PodcastRow = Selectable<Podcasts>;
export type EpisodeRow = Selectable<PodcastEpisodes>;

export function listAvailable(
  db: Db,
  { slug, limit, offset }: { slug: string | undefined; limit: number; offset: number },
) {
  return selectAvailable(db, slug)
    .select(["podcast_episodes.id", "podcast_episodes.slug", "podcast_episodes.title"])
    .select(["podcast_episodes.image_url", "podcasts.slug as podcast_slug"])
    .select(["podcast_episodes.podcast_id"])
    .select(["podcasts.title as podcast_title", "podcasts.image_url as podcast_image_url"])
    .orderBy("podcast_episodes.published_at", (order) => order.desc().nullsLast())
    .orderBy("podcast_episodes.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export type ListedRow = Awaited<ReturnType<typeof listAvailable>>[number];

export function countAvailable(db: Db, slug: string | undefined): Promise<number> {
  return countRows(selectAvailable(db, slug));
}

function selectAvailable(db: Db, slug: string | undefined) {
  const available = db
    .selectFrom("podcast_episodes")
    .innerJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .where("podcast_episodes.reachable", "=", true)
    .where("podcasts.published", "=", true);
  return slug === undefined ? available : available.where("podcasts.slug", "=", slug);
}

export function findPodcasts(db: Db, slugs: readonly string[]): Promise<PodcastRow[]> {
  return selectRecords(db).where("slug", "=", anyText(slugs)).execute();
}

export function findPodcast(db: Db, id: number): Promise<PodcastRow | undefined> {
  return selectRecords(db).where("podcasts.id", "=", id).executeTakeFirst();
}

function selectRecords(db: Db) {
  return db.selectFrom("podcasts").selectAll("podcasts").select(recordedPicture("podcast"));
}

export function findEpisodes(
  db: Db,
  podcastIds: readonly number[],
  slugs: readonly string[],
): Promise<EpisodeRow[]> {
  return db
    .selectFrom("podcast_episodes")
    .selectAll()
    .where("podcast_id", "=", anyInt(podcastIds))
    .where("slug", "=", anyText(slugs))
    .execute();
}

export function findEpisodesByGuid(
  db: Db,
  podcastIds: readonly number[],
  guids: readonly string[],
): Promise<EpisodeRow[]> {
  return db
    .selectFrom("podcast_episodes")
    .selectAll()
    .where("podcast_id", "=", anyInt(podcastIds))
    .where("guid", "=", anyText(guids))
    .execute();
}

/** Returns their slugs. */
export async function deletePodcasts(tx: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await tx.deleteFrom("podcasts").where("id", "=", anyInt(ids)).returning("slug").execute();
  return rows.map(({ slug }) => slug);
}

export async function updatePodcast(tx: Db, id: number, change: Updateable<Podcasts>): Promise<void> {
  await tx.updateTable("podcasts").set(change).where("id", "=", id).execute();
}

export function insertEpisodes(
  tx: Db,
  episodes: readonly Insertable<PodcastEpisodes>[],
): Promise<{ id: number; podcast_id: number }[]> {
  if (episodes.length === 0) return Promise.resolve([]);
  return tx.insertInto("podcast_episodes").values(episodes).returning(["id", "podcast_id"]).execute();
}

export async function updateEpisode(tx: Db, id: number, change: Updateable<PodcastEpisodes>): Promise<void> {
  await tx.updateTable("podcast_episodes").set(change).where("id", "=", id).execute();
}

export function listPodcastsAfter(db: Db, id: number, limit: number) {
  return selectRecords(db)
    .leftJoin("users", "users.id", "podcasts.owner_id")
    .select("users.username as owner")
    .where("podcasts.id", ">", id)
    .orderBy("podcasts.id")
    .limit(limit)
    .execute();
}

export function listEpisodesAfter(db: Db, id: number, limit: number) {
  return db
    .selectFrom("podcast_episodes")
    .innerJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .selectAll("podcast_episodes")
    .select("podcasts.slug as podcast")
    .where("podcast_episodes.id", ">", id)
    .orderBy("podcast_episodes.id")
    .limit(limit)
    .execute();
}
