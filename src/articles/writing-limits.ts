import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { countRows } from "../db/values.ts";
import { invalid } from "../errors.ts";
import * as actions from "../limits/actions.ts";
import type { Settings } from "../settings/schema.ts";

interface Limits {
  limits: Settings;
  now: Date;
}

const NEW_ACCOUNT_MS = 3 * 86_400_000;

/** @throws AppError rate_limited */
export async function checkCreation(
  tx: Db,
  author: { id: number; origin: string; created_at: Date },
  { limits, now }: Limits,
): Promise<void> {
  const isNew =
    author.origin === "registration" && now.getTime() - author.created_at.getTime() < NEW_ACCOUNT_MS;
  const [limit, windowSeconds] = isNew
    ? [limits.article_create_new_account_limit, 300]
    : [limits.article_create_limit, 30];
  const created = createdSince(tx, author.id, new Date(now.getTime() - windowSeconds * 1_000));
  // Including deleted ones.
  const published = await countRows(created.where(sql<boolean>`'published' in (state, deleted_from)`));
  if (published >= limit) {
    throw actions.refusedBy({ action: "article_create", limit, windowSeconds });
  }
}

const SAME_TITLE_MS = 5 * 60_000;

/** A repeated script or click creates one article. @throws AppError invalid */
export async function refuseRepeatedTitle(
  tx: Db,
  authorId: number,
  { title, now }: { title: string; now: Date },
): Promise<void> {
  const created = createdSince(tx, authorId, new Date(now.getTime() - SAME_TITLE_MS));
  const same = await countRows(created.where("title", "=", title).where("state", "<>", "deleted"));
  if (same > 0) throw invalid("Title has already been used in the last five minutes");
}

function createdSince(tx: Db, authorId: number, since: Date) {
  return tx.selectFrom("articles").where("author_id", "=", authorId).where("created_at", ">", since);
}

/** @throws AppError rate_limited */
export async function spendUpdate(tx: Db, userId: number, { limits, now }: Limits): Promise<void> {
  const limit = limits.article_update_limit;
  await actions.spend(tx, { userId, action: "article_update", limit, windowSeconds: 30, now });
}
