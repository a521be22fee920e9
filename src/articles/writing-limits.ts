import type { Db } from "../db/connect.ts";
import * as actions from "../limits/actions.ts";
import type { Settings } from "../settings/schema.ts";
import * as queries from "./writing-queries.ts";

export type WritingLimits = Pick<
  Settings,
  "article_create_limit" | "article_create_new_account_limit" | "article_update_limit"
>;

const DAY_MS = 86_400_000;
const NEW_ACCOUNT_DAYS = 3;

interface Author {
  id: number;
  origin: string;
  created_at: Date;
}

/** @throws AppError rate_limited */
export async function checkCreation(
  tx: Db,
  author: Author,
  { limits, now }: { limits: WritingLimits; now: Date },
): Promise<void> {
  const age = now.getTime() - author.created_at.getTime();
  const isNew = author.origin === "registration" && age < NEW_ACCOUNT_DAYS * DAY_MS;
  const [limit, seconds] = isNew
    ? [limits.article_create_new_account_limit, 300]
    : [limits.article_create_limit, 30];
  const published = await queries.countPublishedSince(
    tx,
    author.id,
    new Date(now.getTime() - seconds * 1_000),
  );
  if (published >= limit)
    throw actions.refusedBy({ action: "article_create", limit, windowSeconds: seconds });
}

/** @throws AppError rate_limited */
export async function spendUpdate(
  tx: Db,
  userId: number,
  { limits, now }: { limits: WritingLimits; now: Date },
): Promise<void> {
  const limit = limits.article_update_limit;
  await actions.spend(tx, { userId, action: "article_update", limit, windowSeconds: 30, now });
}
