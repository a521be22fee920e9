import type { Figures } from "./figures.ts";
import type { ReferrerRow } from "./queries.ts";
import type { Referrers, Totals } from "./schema.ts";

/** Only signed-in readers have a reading time; it stands for all. */
export function totals({ views, signed_in_views, read_seconds, ...figures }: Figures): Totals {
  const average = signed_in_views > 0 ? Math.round(read_seconds / signed_in_views) : 0;
  return {
    comments: { total: figures.comments },
    follows: { total: figures.follows },
    reactions: { total: figures.reactions, like: figures.likes, readinglist: figures.readinglists },
    page_views: {
      total: views,
      average_read_time_in_seconds: average,
      total_read_time_in_seconds: average * views,
    },
  };
}

export function history(days: readonly (Figures & { day: string })[]): Record<string, Totals> {
  return Object.fromEntries(days.map(({ day, ...figures }) => [day, totals(figures)]));
}

export function referrers(rows: ReferrerRow[]): Referrers {
  return { domains: rows.map(({ referrer, views }) => ({ domain: referrer || null, count: views })) };
}
