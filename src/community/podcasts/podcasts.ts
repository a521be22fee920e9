import type { Reference } from "../records/declaration.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import { quote } from "../../platform/text/quote.ts";
import * as handles from "../users/handles.ts";
import * as queries from "./queries.ts";
import { FEEDS } from "./schedule.ts";

/**
 * Reachable episodes of published podcasts, or of one.
 * @throws AppError not_found for a podcast without any
 */
export function available(db: Db, username: string | undefined) {
  const slug = username?.toLowerCase();
  return async (part: { limit: number; offset: number }): Promise<queries.ListedRow[]> => {
    if (slug !== undefined && !canBeSlug(slug)) throw notFound();
    const rows = await queries.listAvailable(db, { slug, ...part });
    const isUnknown =
      rows.length === 0 &&
      slug !== undefined &&
      (await queries.listAvailable(db, { slug, limit: 1, offset: 0 })).length === 0;
    if (isUnknown) throw notFound();
    return rows;
  };
}

/** Removes podcasts with their episodes and comments, and frees their names. */
export async function removeAll(tx: Db, ids: readonly number[]): Promise<void> {
  await handles.release(tx, "podcast", await queries.deletePodcasts(tx, ids));
}

/** Ids by lower-case path, such as `loomcast/ep-4`, without unknown ones. */
async function episodeIdsByPath(db: Db, paths: readonly string[]): Promise<Map<string, number>> {
  const wanted = new Set(paths.map((path) => path.toLowerCase()));
  const named = [...wanted].map((path) => path.split("/")).filter(({ length }) => length === 2);
  if (named.length === 0) return new Map();
  const podcasts = await queries.findPodcasts(
    db,
    named.map(([podcast = ""]) => podcast),
  );
  const slugs = new Map(podcasts.map(({ id, slug }) => [id, slug]));
  const episodes = await queries.findEpisodes(db, [...slugs.keys()], {
    slugs: named.map(([, episode = ""]) => episode),
  });
  const found = episodes.map(({ id, podcast_id, slug }): [string, number] => [
    `${slugs.get(podcast_id)}/${slug}`,
    id,
  ]);
  return new Map(found.filter(([path]) => wanted.has(path)));
}

export const episodeByPath: Reference = { find: episodeIdsByPath, spell: (path) => path.toLowerCase() };

/** Whether a text needs a query: another one is no slug, and may hold NUL. */
export function canBeSlug(text: string): boolean {
  return /^[0-9a-z_-]{2,100}$/.test(text);
}

export type PodcastStatus = Awaited<ReturnType<typeof list>>[number];

/** All podcasts or these, with the last success of their feeds, the next visit, and why one can't be read. */
export async function list(db: Db, ids?: readonly number[]) {
  const podcasts = await queries.listPodcasts(db, ids);
  const fetched = await fetches.statusOf(
    db,
    FEEDS,
    podcasts.map(({ id }) => id),
  );
  return podcasts.map(({ feed_gone, ...podcast }) => {
    const status = fetched.get(podcast.id);
    return {
      ...podcast,
      succeeded_at: status?.succeeded_at ?? null,
      due_at: status?.due_at ?? null,
      problem: feed_gone ?? status?.failure ?? null,
    };
  });
}

export async function named(db: Db, slug: string): Promise<PodcastStatus> {
  const wanted = slug.toLowerCase();
  const [row] = canBeSlug(wanted) ? await queries.findPodcasts(db, [wanted]) : [];
  const [found] = row ? await list(db, [row.id]) : [];
  if (!found) throw invalid(`There is no podcast ${quote(slug)}.`);
  return found;
}
