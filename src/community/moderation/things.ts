import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { commentPath, listingPath, pathUnder, profilePath } from "../../platform/paths.ts";
import { idCode } from "../comments/id-codes.ts";

export const KINDS = ["article", "comment", "user", "listing"] as const;
export type ThingKind = (typeof KINDS)[number];

export interface ThingId {
  kind: ThingKind;
  id: number;
}

interface Row extends ThingId {
  author_id: number;
  title: string;
  /** Empty for a person, whose `summary` is text. */
  html: string;
  summary: string | null;
  state: "shown" | "hidden" | "gone";
  /** Whether strangers can read it. */
  is_public: boolean;
  parent: string;
  slug: string;
}

export type Thing = Row & { path: string };

/** The things that a query of `kind` and `id` names, in its order, without comments whose author is gone. */
export async function list(db: Db, wanted: RawBuilder<unknown>): Promise<Thing[]> {
  const { rows } = await sql<Row>`
    with wanted as materialized (select kind, id, row_number() over () as place from (${wanted}) as wanted (kind, id))
    select place, wanted.kind, articles.id, author_id, title, body_html as html, null as summary,
      case state when 'published' then 'shown' when 'deleted' then 'gone' else 'hidden' end as state,
      state = 'published' as is_public, coalesce(organizations.username, users.username) as parent, slug
    from wanted join articles on wanted.kind = 'article' and articles.id = wanted.id join users on users.id = author_id
      left join organizations on organizations.id = organization_id
    union all
    select place, wanted.kind, comments.id, comments.author_id, '', comments.body_html, null,
      case when deleted then 'gone' when hidden then 'hidden' else 'shown' end,
      not deleted and not hidden
        and coalesce(articles.state = 'published', podcast_episodes.reachable and podcasts.published, false), '', ''
    from wanted join comments on wanted.kind = 'comment' and comments.id = wanted.id and comments.author_id is not null
      left join articles on articles.id = article_id left join podcast_episodes on podcast_episodes.id = episode_id
      left join podcasts on podcasts.id = podcast_id
    union all
    select place, wanted.kind, users.id, users.id, users.name, '', users.summary, 'shown', true, '', users.username
    from wanted join users on wanted.kind = 'user' and users.id = wanted.id
    union all
    select place, wanted.kind, listings.id, author_id, title, body_html, null,
      case when published then 'shown' else 'hidden' end, published, listing_categories.slug, listings.slug
    from wanted join listings on wanted.kind = 'listing' and listings.id = wanted.id
      join listing_categories on listing_categories.id = category_id
    order by place`.execute(db);
  return rows.map((row) => ({ ...row, path: pathOf(row) }));
}

export const find = async (db: Db, { kind, id }: ThingId): Promise<Thing | undefined> =>
  (await list(db, sql`select ${kind}::text, ${id}::int`))[0];

function pathOf({ kind, id, parent, slug }: Row): string {
  if (kind === "comment") return commentPath(idCode(id));
  if (kind === "user") return profilePath(slug);
  return kind === "article" ? pathUnder(parent, slug) : listingPath(`${parent}/${slug}`);
}
