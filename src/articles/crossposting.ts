import type { State } from "./state.ts";

/** What is said of an article that was published elsewhere before. */
export interface Crosspost {
  /** When that was, if it is known. */
  publishedAt: Date | undefined;
}

interface Columns {
  state: State;
  published_at: Date | null;
}

/**
 * The columns of a new article that comes from elsewhere: it has the date of its first publication, but none to come.
 * Until it is published here, its crossposted_at says no more than that it came from elsewhere.
 */
export function crossposted<T extends Columns>(
  columns: T,
  { publishedAt }: Crosspost,
  now: Date,
): T & { crossposted_at: Date } {
  const isOut = columns.state === "published";
  const first = publishedAt !== undefined && publishedAt < now ? publishedAt : now;
  return { ...columns, crossposted_at: now, ...(isOut && { published_at: first }) };
}

/** What changes of such an article when it is published here for the first time, or scheduled for that. */
export function crosspostedBy(
  existing: { state: string; crossposted_at: Date | null },
  { state, published_at }: Columns,
): { crossposted_at?: Date } {
  const isFirst = existing.state === "draft" || existing.state === "scheduled";
  if (existing.crossposted_at === null || !isFirst || published_at === null) return {};
  return state === "published" || state === "scheduled" ? { crossposted_at: published_at } : {};
}

const NEWS_MS = 7 * 86_400_000;

/** Whether what was published elsewhere that long ago is still news to the followers of its author. */
export function isNews({ publishedAt }: Crosspost, now: Date): boolean {
  return publishedAt === undefined || now.getTime() - publishedAt.getTime() <= NEWS_MS;
}
