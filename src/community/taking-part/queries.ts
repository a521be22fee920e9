import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt } from "../../platform/db/values.ts";
import type { Ref } from "../../search/find.ts";
import type { SortKey } from "../articles/lists/orders.ts";

/** The ids of the things that a page shows. */
export type Shown = Partial<Record<"articles" | "comments" | "users" | "organizations" | "tags", number[]>>;

/** The buttons of these things that a member has pressed, each as an act and an id: `fire 12`, `follow-tag 3`. */
export async function pressedBy(db: Db, userId: number, shown: Shown): Promise<Set<string>> {
  const { articles = [], comments = [], users = [], organizations = [], tags = [] } = shown;
  const { rows } = await sql<{ act: string }>`
    select category || ' ' || article_id as act from reactions
    where user_id = ${userId} and article_id = ${anyInt(articles)} and status <> 'archived'
    union all
    select 'like-comment ' || comment_id from reactions
    where user_id = ${userId} and comment_id = ${anyInt(comments)} and category = 'like'
    union all
    select coalesce('follow-user ' || followed_user_id, 'follow-organization ' || organization_id, 'follow-tag ' || tag_id)
    from follows where follower_id = ${userId} and (followed_user_id = ${anyInt(users)}
      or organization_id = ${anyInt(organizations)} or tag_id = ${anyInt(tags)})`.execute(db);
  return new Set(rows.map(({ act }) => act));
}

/** How many people have reacted to an article, by category. */
export async function reactionCounts(
  db: Db,
  articleId: number,
  category?: string,
): Promise<Partial<Record<string, number>>> {
  const { rows } = await sql<{ category: string; count: number }>`
    select category, count(*)::int as count from reactions
    where article_id = ${articleId} ${category === undefined ? sql`` : sql`and category = ${category}`}
    group by category`.execute(db);
  return Object.fromEntries(rows.map(({ category, count }) => [category, count]));
}

/** The count of a comment's likes. */
export async function likesOf(db: Db, commentId: number): Promise<number> {
  const { rows } = await sql<{ reactions_count: number }>`
    select reactions_count from comments where id = ${commentId}`.execute(db);
  return rows[0]?.reactions_count ?? 0;
}

interface FollowedCut {
  userId: number;
  now: Date;
  limit: number;
  after?: SortKey | undefined;
}

/**
 * The articles of the people, organizations and tags that a member follows, newest first, each once. Each of these gives
 * the first of its own from an index. One row without an article says that nothing is published, and none that the
 * member follows nothing.
 */
export async function followedArticles(db: Db, { userId, now, limit, after }: FollowedCut) {
  const behind = after
    ? sql`and (published_at, article_id) < (${after.published_at}, ${after.article_id})`
    : sql``;
  const first = sql`and published_at <= ${now} ${behind}
    order by published_at desc, article_id desc limit ${limit}`;
  const { rows } = await sql<(Ref & SortKey) | { article_id: null }>`
    with followed as materialized (
      select followed_user_id, organization_id, tag_id from follows where follower_id = ${userId}
    ), page as (
      select distinct found.article_id, found.published_at from followed cross join lateral (
        (select article_id, published_at from published_articles where author_id = followed_user_id ${first})
        union all
        (select article_id, published_at from published_articles
          where published_articles.organization_id = followed.organization_id ${first})
        union all
        (select article_id, published_at from article_tags where article_tags.tag_id = followed.tag_id ${first})
      ) as found
      order by published_at desc, article_id desc limit ${limit}
    )
    select page.article_id, page.published_at, version, 0 as value
    from (select from followed limit 1) as any_followed
    left join page on true left join published_articles using (article_id)
    order by page.published_at desc, page.article_id desc`.execute(db);
  return rows;
}

/** People whose articles are popular now, for a member who follows none. */
export async function popularPeople(db: Db, except: number) {
  const { rows } = await sql<{ id: number; name: string; username: string; profile_image: string | null }>`
    select id, name, username, profile_image from (
      select author_id, max(hotness) as best from (
        select author_id, hotness from published_articles
        order by hotness desc, published_at desc, article_id desc limit 100
      ) as popular group by author_id
    ) as authors join users on users.id = author_id
    where id <> ${except} and not suspended order by best desc, id limit 8`.execute(db);
  return rows;
}
