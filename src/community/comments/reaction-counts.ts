import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { rowsOf } from "../../platform/db/rows.ts";

/** Locks the comment against removal; undefined when there is none. */
export async function isShown(tx: Db, id: number): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_shown: boolean }>`
    select not deleted and not hidden
      and coalesce(articles.state = 'published', reachable and podcasts.published, false) as is_shown
    from comments
    left join articles on articles.id = article_id
    left join podcast_episodes on podcast_episodes.id = episode_id
    left join podcasts on podcasts.id = podcast_id
    where comments.id = ${id} for key share of comments`.execute(tx);
  return rows[0]?.is_shown;
}

/** Locks comments until their reactions are counted. */
export const { lockAll } = rowsOf("comments");

export async function countReactions(tx: Db, changes: ReadonlyMap<number, number>): Promise<void> {
  const changed = [...changes].filter(([, delta]) => delta !== 0);
  if (changed.length === 0) return;
  const ids = changed.map(([id]) => id);
  const deltas = changed.map(([, delta]) => delta);
  await sql`
    update comments set reactions_count = reactions_count + change.delta
    from unnest(${ids}::int[], ${deltas}::int[]) as change (id, delta)
    where comments.id = change.id`.execute(tx);
}
