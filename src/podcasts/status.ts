import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import * as fetches from "../fetches/fetches.ts";
import { quote } from "../text/quote.ts";
import * as feedQueries from "./feed-queries.ts";
import { canBeSlug } from "./podcasts.ts";
import * as queries from "./queries.ts";
import { FEEDS } from "./schedule.ts";

export interface PodcastStatus {
  id: number;
  slug: string;
  title: string;
  owner: string | null;
  published: boolean;
  episodes: number;
  feed_url: string | null;
  /** The last success, and the next visit. */
  succeeded_at: Date | null;
  due_at: Date | null;
  /** Why it can't be read, or is no longer read. */
  problem: string | null;
}

export async function list(db: Db, ids?: readonly number[]): Promise<PodcastStatus[]> {
  const podcasts = await feedQueries.listPodcasts(db, ids);
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

/** @throws AppError invalid for an unknown slug */
export async function named(db: Db, slug: string): Promise<PodcastStatus> {
  const wanted = slug.toLowerCase();
  const [row] = canBeSlug(wanted) ? await queries.findPodcasts(db, [wanted]) : [];
  const [found] = row ? await list(db, [row.id]) : [];
  if (!found) throw invalid(`There is no podcast ${quote(slug)}.`);
  return found;
}
