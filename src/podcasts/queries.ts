import type { Insertable, Selectable } from "kysely";
import type { Db } from "../db/connect.ts";
import { rowsOf } from "../db/rows.ts";
import type { PodcastEpisodes, Podcasts } from "../db/tables.ts";
import { anyInt, anyText } from "../db/values.ts";
import { recordedPicture } from "../records/pictures.ts";

export type PodcastRow = Selectable<Podcasts>;
export type EpisodeRow = Selectable<PodcastEpisodes>;

export const { insert: insertPodcast, update: updatePodcast } = rowsOf("podcasts");
export const { update: updateEpisode, lock: lockEpisode } = rowsOf("podcast_episodes");

export function listAvailable(
  db: Db,
  { slug, limit, offset }: { slug: string | undefined; limit: number; offset: number },
) {
  return db
    .selectFrom("podcast_episodes")
    .innerJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .select(["podcast_episodes.id", "podcast_episodes.slug", "podcast_episodes.title"])
    .select(["podcast_episodes.image_url", "podcasts.slug as podcast_slug"])
    .select(["podcast_episodes.podcast_id"])
    .select(["podcasts.title as podcast_title", "podcasts.image_url as podcast_image_url"])
    .where("podcast_episodes.reachable", "=", true)
    .where("podcasts.published", "=", true)
    .$if(slug !== undefined, (query) => query.where("podcasts.slug", "=", slug ?? ""))
    .orderBy("podcast_episodes.published_at", (order) => order.desc().nullsLast())
    .orderBy("podcast_episodes.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export type ListedRow = Awaited<ReturnType<typeof listAvailable>>[number];

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
  { slugs = [], guids = [] }: { slugs?: readonly string[]; guids?: readonly string[] },
): Promise<EpisodeRow[]> {
  return db
    .selectFrom("podcast_episodes")
    .selectAll()
    .where("podcast_id", "=", anyInt(podcastIds))
    .where((eb) => eb.or([eb("slug", "=", anyText(slugs)), eb("guid", "=", anyText(guids))]))
    .execute();
}

/** Returns their slugs. */
export async function deletePodcasts(tx: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await tx.deleteFrom("podcasts").where("id", "=", anyInt(ids)).returning("slug").execute();
  return rows.map(({ slug }) => slug);
}

export function insertEpisodes(
  tx: Db,
  episodes: readonly Insertable<PodcastEpisodes>[],
): Promise<{ id: number; podcast_id: number }[]> {
  if (episodes.length === 0) return Promise.resolve([]);
  return tx.insertInto("podcast_episodes").values(episodes).returning(["id", "podcast_id"]).execute();
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
