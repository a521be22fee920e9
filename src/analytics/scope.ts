import { type RawBuilder, sql } from "kysely";
import type { Subject } from "./figures.ts";

/** Days as yyyy-mm-dd, both of them inside. */
export interface Range {
  start: string;
  end: string;
}

/** Whose figures: those of everything an owner has published, or of one article of it. */
export interface Scope {
  owner: Subject & { kind: "user" | "organization" };
  articleId: number | undefined;
}

/** Articles that the owner's sums lack (1) or have too much (-1). */
export function withMoved({ owner }: Scope): RawBuilder<unknown> {
  const counts = (table: "listed" | "summed") => sql`coalesce(${owns(owner, table)}, false)::int`;
  return sql`
    with moved as (
      select article_id, sign from (
        select noted.article_id, ${counts("listed")} - ${counts("summed")} as sign
        from (select distinct article_id from analytics_moves) as noted
        left join published_articles as listed on listed.article_id = noted.article_id
        left join analytics_owners as summed on summed.article_id = noted.article_id
      ) as signs
      where sign <> 0
    )`;
}

export const subjectOf = ({ owner, articleId }: Scope): Subject =>
  articleId === undefined ? owner : { kind: "article", id: articleId };

export const of = ({ kind, id }: Subject): RawBuilder<boolean> => sql`kind = ${kind} and subject_id = ${id}`;

export function owns({ kind, id }: Subject, table: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${table}.${kind === "user" ? "author_id" : "organization_id"}`)} = ${id}`;
}

export function within(range: Range | undefined): RawBuilder<boolean> {
  return range === undefined ? sql`true` : sql`day between ${range.start}::date and ${range.end}::date`;
}
