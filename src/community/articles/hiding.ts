import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { AppError } from "../../platform/errors.ts";
import { checkFree } from "./canonical-urls.ts";
import { isHeld, unpublish } from "./publication-status.ts";
import { transition } from "./transition.ts";
import * as writing from "./writing.ts";

type Hidden = Pick<writing.ArticleRow, "id" | "state" | "published_at">;

/** Unpublishes what readers see of a person, or will at a date. Returns the articles as they were. */
export async function hideAll(
  tx: Db,
  authorId: number,
  { reason, now }: { reason: string; now: Date },
): Promise<Hidden[]> {
  const { rows } = await sql<{ id: number }>`
    select id from articles where author_id = ${authorId} and state in ('published', 'scheduled')
    order by id for no key update`.execute(tx);
  const hidden: Hidden[] = [];
  for (const { id } of rows) {
    const before = await writing.lock(tx, id);
    if (!before) continue;
    await transition(tx, { before, change: { ...unpublish(before, reason, now) }, now });
    hidden.push(before);
  }
  return hidden;
}

/** Gives an article the state that it had, unless something else has happened to it, or its canonical URL is taken. */
export async function bringBack(
  tx: Db,
  { id, state, published_at }: Hidden,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const before = await writing.lock(tx, id);
  if (!before || !isHeld(before) || before.unpublish_reason !== reason) return;
  const { canonical_url, author_id: writerId } = before;
  try {
    if (canonical_url !== null) await checkFree(tx, { id, canonical_url }, { writerId, contactEmail: "" });
  } catch (error) {
    if (error instanceof AppError) return;
    throw error;
  }
  const isDue = published_at !== null && published_at <= now;
  const change = { state: isDue ? "published" : state, published_at, unpublish_reason: null };
  await transition(tx, { before, change, now });
}
