import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import * as events from "../../platform/events/events.ts";

interface Hiding {
  userId: number;
  reason: string;
}

/** Hides all comments of a person for staff. Returns the number. */
export const hideAll = (tx: Db, { userId, reason }: Hiding): Promise<number> =>
  setAll(tx, {
    change: sql`hidden = true, hidden_reason = ${reason}`,
    where: sql`author_id = ${userId} and not deleted and not hidden`,
  });

/** Shows those that are hidden for this reason. */
export const bringBack = (tx: Db, { userId, reason }: Hiding): Promise<number> =>
  setAll(tx, {
    change: sql`hidden = false, hidden_reason = null`,
    where: sql`author_id = ${userId} and not deleted and hidden_reason = ${reason}`,
  });

async function setAll(tx: Db, { change, where }: Record<"change" | "where", RawBuilder<unknown>>) {
  const { rows } = await sql<{ id: number; of: { article_id: number } | { episode_id: number } }>`
    update comments set ${change} where id in (select id from comments where ${where} order by id for no key update)
    returning id, json_strip_nulls(json_build_object('article_id', article_id, 'episode_id', episode_id)) as of`.execute(
    tx,
  );
  await events.recordAll(
    tx,
    rows.map(({ id, of }) => ["comment_updated", { comment_id: id, ...of }]),
  );
  return rows.length;
}
