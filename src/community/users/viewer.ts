import { sql } from "kysely";
import type { Viewer } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";

/** A deleted account has no viewer. Notifications of comments that others can't read aren't shown, nor counted. */
export const findViewer = prepare<{ id: number }, Viewer>(
  (value) => sql`
    select id, name, username, role, profile_image, reading, (
      select count(*)::int from (
        select from notifications
        left join comments on comments.id = comment_id
        left join articles on articles.id = comments.article_id
        left join podcast_episodes as episode on episode.id = comments.episode_id
        left join podcasts on podcasts.id = podcast_id
        where user_id = users.id and read_at is null and withdrawn_at is null and (
          comment_id is null or not comments.deleted and not comments.hidden
            and coalesce(articles.state = 'published', episode.reachable and podcasts.published)
        ) limit 100
      ) as unread
    ) + (
      select count(*)::int from organization_invitations where user_id = users.id
    ) as unread
    from users where id = ${value("id")}::int`,
);

export async function storeReading(tx: Db, id: number, reading: string): Promise<void> {
  await sql`update users set reading = ${reading} where id = ${id}`.execute(tx);
}
