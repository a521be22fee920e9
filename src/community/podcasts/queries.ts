import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { lock } from "../../platform/db/locks.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { PodcastEpisodes, Podcasts } from "../../platform/db/tables.ts";
import { anyInt, anyText } from "../../platform/db/values.ts";
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

/** Locks against other additions, so that one feed isn't added twice. */
export async function holdAdding(tx: Db): Promise<void> {
  await lock(tx, "podcastAdding");
}

export async function findByFeed(db: Db, addresses: readonly string[]) {
  const { rows } = await sql<{ slug: string }>`
    select slug from podcasts where feed_url = ${anyText(addresses)} order by id limit 1`.execute(db);
  return rows[0];
}

export async function lockPodcast(tx: Db, id: number): Promise<PodcastRow | undefined> {
  await tx.selectFrom("podcasts").select("id").where("id", "=", id).forNoKeyUpdate().execute();
  // Read in a second statement: one would see the picture from after the wait for the lock, and its origin from before.
  return findPodcast(tx, id);
}

export async function forgetGone(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`
    update podcasts set feed_gone = null where id = ${anyInt(ids)} and feed_gone is not null`.execute(tx);
}

/** All episodes of a podcast, by which those of its feed are identified. */
export function episodeKeys(db: Db, podcastId: number) {
  return db
    .selectFrom("podcast_episodes")
    .select(["id", "slug", "guid", "media_url", "title", "published_at"])
    .where("podcast_id", "=", podcastId)
    .orderBy("id")
    .execute();
}

/** Reads episodes in the order of ids, so that two writers don't wait for each other. */
export function episodesById(tx: Db, ids: readonly number[]): Promise<EpisodeRow[]> {
  return tx.selectFrom("podcast_episodes").selectAll().where("id", "=", anyInt(ids)).orderBy("id").execute();
}

/** Podcasts by slug with owner and number of episodes: all, or only these. */
export function listPodcasts(db: Db, ids?: readonly number[]) {
  const podcasts = db
    .selectFrom("podcasts")
    .leftJoin("users", "users.id", "podcasts.owner_id")
    .select(["podcasts.id", "podcasts.slug", "podcasts.title", "podcasts.feed_url", "podcasts.published"])
    .select(["podcasts.feed_gone", "users.username as owner"])
    .select(
      sql<number>`(select count(*)::int from podcast_episodes where podcast_id = podcasts.id)`.as("episodes"),
    )
    .orderBy("podcasts.slug");
  return (ids === undefined ? podcasts : podcasts.where("podcasts.id", "=", anyInt(ids))).execute();
}

export async function withFeed(db: Db, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; isGone: boolean }>`
    select id, feed_gone is not null as "isGone" from podcasts
    where id = ${anyInt(ids)} and feed_url is not null`.execute(db);
  return rows;
}

export async function episodesOf(db: Db, podcastIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from podcast_episodes where podcast_id = ${anyInt(podcastIds)}`.execute(db);
  return rows.map(({ id }) => id);
}

export function findRecording(db: Db, id: number) {
  return db
    .selectFrom("podcast_episodes")
    .innerJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .select(["podcast_episodes.media_url", "podcast_episodes.reachable", "podcast_episodes.published_at"])
    .select("podcasts.feed_url")
    .where("podcast_episodes.id", "=", id)
    .executeTakeFirst();
}
