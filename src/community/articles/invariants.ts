import { sql } from "kysely";
import { PUBLISHED_COUNT } from "./counting.ts";
import type { Invariant } from "../../platform/db/invariants.ts";
import { MAX_LIFT } from "./read-model.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "published articles",
    faults: sql`
      select format('The article %s is %s, but %s listed.', coalesce(articles.id, listed.article_id),
        coalesce(articles.state, 'gone'), case when listed.article_id is null then 'not' else 'still' end) as fault
      from articles full join published_articles as listed on listed.article_id = articles.id
      where (articles.state = 'published') is distinct from (listed.article_id is not null)
        and (articles.state = 'published' or listed.article_id is not null)
      union all
      select format('The article %s is listed with another %s than it has.', articles.id, differing.what)
      from articles join published_articles as listed on listed.article_id = articles.id
      cross join lateral (values
        ('author', listed.author_id is distinct from articles.author_id),
        ('organization', listed.organization_id is distinct from articles.organization_id),
        ('series', listed.collection_id is distinct from articles.collection_id),
        ('date', listed.published_at is distinct from articles.published_at
          or listed.fresh_from is distinct from coalesce(articles.crossposted_at, articles.published_at)),
        ('number of reactions', listed.reactions is distinct from articles.public_reactions_count),
        ('score', listed.score is distinct from articles.score),
        ('video', listed.has_video is distinct from
          (articles.video_source_url is not null and coalesce(articles.video_thumbnail_url, articles.main_image) is not null)),
        ('hotness', listed.hotness not between articles.score and articles.score + ${sql.lit(MAX_LIFT)})
      ) as differing (what, so)
      where articles.state = 'published' and differing.so`,
  },
  {
    check: "count of published articles",
    faults: sql`
      select format('%s published articles are counted, but there are %s.', coalesce(counted::text, 'No'), present) as fault
      from (select count(*) as present, ${PUBLISHED_COUNT} as counted from published_articles) as counts
      where counted is distinct from present`,
  },
  {
    check: "tags of articles",
    faults: sql`
      select format('The published article %s has the tags "%s", but is found under "%s".', id,
        array_to_string(own, ', '), array_to_string(found, ', ')) as fault
      from (
        select articles.id,
          array(select distinct name from unnest(articles.tag_list) as name order by name) as own,
          array(select tags.name from article_tags join tags on tags.id = article_tags.tag_id
            where article_tags.article_id = articles.id order by tags.name) as found
        from articles where state = 'published'
      ) as tagged
      where own is distinct from found
      union all
      select format('The article %s stands under the tag %s with another date, number of reactions or hotness than in other lists.',
        article_id, tag_id)
      from article_tags join published_articles as listed using (article_id)
      where (article_tags.published_at, article_tags.reactions, article_tags.hotness)
        is distinct from (listed.published_at, listed.reactions, listed.hotness)`,
  },
  {
    check: "counts of tags",
    faults: sql`
      select format('The tag %s (%s) is counted %s times, but carried by %s published articles.', id, name,
        articles_count, carried) as fault
      from tags left join lateral (select count(*) as carried from article_tags where tag_id = tags.id) as counted on true
      where articles_count <> carried`,
  },
  {
    check: "series",
    faults: sql`
      select format('The article %s belongs to the series %s of another user.', articles.id, collections.id) as fault
      from articles join collections on collections.id = articles.collection_id
      where collections.user_id <> articles.author_id`,
  },
  {
    check: "slugs",
    faults: sql`
      select format('The slug of the article %s, "%s", is one of a draft, but the article is published.', id, slug) as fault
      from articles where state = 'published' and slug ~ '-temp-slug-[0-9]{1,7}$'
      union all
      select format('%s articles have the slug "%s": %s.', count(*), slug, string_agg(id::text, ', ' order by id))
      from articles group by slug having count(*) > 1`,
  },
  {
    check: "paths",
    faults: sql`
      select format('The former path %s of the article %s is where the article %s is found now.', path, article_id, articles.id) as fault
      from retired_paths
      join articles on articles.slug = split_part(path, '/', 3)
      join users on users.id = articles.author_id
      left join organizations on organizations.id = articles.organization_id
      where path = '/' || coalesce(organizations.username, users.username) || '/' || articles.slug`,
  },
  {
    check: "versions",
    faults: sql`
      select format('The article %s has the version %s, which none has been given yet.', id, version) as fault
      from articles, article_versions where version > article_versions.last_value
      union all
      select format('The articles %s have the same version.', string_agg(id::text, ', ' order by id))
      from articles group by version having count(*) > 1`,
  },
  {
    check: "notifications",
    faults: sql`
      select format('The notification %s is shown, but its article %s is %s.', notifications.id, articles.id, state) as fault
      from notifications join articles on articles.id = article_id
      where withdrawn_at is null and state <> 'published'
        and not exists (select from outbox join events on events.id = event_id
          where consumer = 'notifications' and (payload ->> 'article_id')::int = articles.id)`,
  },
];
