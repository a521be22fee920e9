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
