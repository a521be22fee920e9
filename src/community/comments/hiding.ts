import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt } from "../../platform/db/values.ts";
import * as events from "../../platform/events/events.ts";

/** Hides all comments of a person for staff. Returns their ids. */
export const hideAll = (tx: Db, authorId: number, reason: string): Promise<number[]> =>
  setAll(tx, {
    change: sql`hidden = true, hidden_reason = ${reason}`,
    where: sql`author_id = ${authorId} and not deleted and not hidden`,
  });

/** Shows comments that are still hidden for this reason. */
export const bringBack = (tx: Db, ids: readonly number[], reason: string): Promise<number[]> =>
  setAll(tx, {
    change: sql`hidden = false, hidden_reason = null`,
    where: sql`id = ${anyInt(ids)} and not deleted and hidden_reason = ${reason}`,
  });

async function setAll(tx: Db, { change, where }: Record<"change" | "where", RawBuilder<unknown>>) {
  const { rows } = await sql<{ id: number; article_id: number | null; episode_id: number | null }>`
    update comments set ${change} where id in (select id from comments where ${where} order by id for no key update)
    returning id, article_id, episode_id`.execute(tx);
  await events.recordAll(
    tx,
    rows.map(({ id, article_id, episode_id }) => [
      "comment_updated",
      { comment_id: id, ...(article_id === null ? { episode_id: episode_id ?? 0 } : { article_id }) },
    ]),
  );
  return rows.map(({ id }) => id);
}
