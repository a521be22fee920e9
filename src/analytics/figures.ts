import { type RawBuilder, sql } from "kysely";

export const FIGURES = [
  "views",
  "signed_in_views",
  "read_seconds",
  "comments",
  "follows",
  "reactions",
  "likes",
  "readinglists",
] as const;

type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure, number>;

export interface Subject {
  kind: "article" | "user" | "organization";
  id: number;
}

export function listed(write: (name: Figure) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(FIGURES.map(write));
}

/** A table of sums by subject. */
export interface Sums {
  table: "analytics_days" | "analytics_referrer_days";
  keys: readonly string[];
  figures: readonly string[];
}

export const DAYS: Sums = { table: "analytics_days", keys: ["day"], figures: FIGURES };
export const REFERRERS: Sums = {
  table: "analytics_referrer_days",
  keys: ["day", "referrer"],
  figures: ["views"],
};
