import { type RawBuilder, sql } from "kysely";

/** What is counted of a day, as the columns of its tables. */
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
export type Figures = Record<(typeof FIGURES)[number], number>;

export const NOTHING: Readonly<Figures> = {
  views: 0,
  signed_in_views: 0,
  read_seconds: 0,
  comments: 0,
  follows: 0,
  reactions: 0,
  likes: 0,
  readinglists: 0,
};

/** What figures are of. */
export interface Subject {
  kind: "article" | "user" | "organization";
  id: number;
}

type Figure = (typeof FIGURES)[number];

/** The figures as a list of SQL. */
export function listed(write: (name: Figure) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(FIGURES.map(write));
}

/** Whether any of the figures of a table isn't zero. */
export function anyOf(write: (name: Figure) => RawBuilder<unknown>): RawBuilder<boolean> {
  return sql.join(
    FIGURES.map((name) => sql`${write(name)} <> 0`),
    sql` or `,
  );
}
