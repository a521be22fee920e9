import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { lock } from "../db/locks.ts";
import { anyInt, anyText } from "../db/values.ts";
import { type EpisodeRow, findPodcast, type PodcastRow } from "./queries.ts";

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

/** Makes feeds readable again that were gone. */
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

/** In one order, so that two writers don't wait for each other. */
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
