import { type Selectable, sql, type Updateable } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { violatedUnique } from "../../platform/db/failures.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { Articles } from "../../platform/db/tables.ts";
import { inSavepoint } from "../../platform/db/transaction.ts";
import { invalid } from "../../platform/errors.ts";
import * as actions from "../../platform/limits/actions.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as users from "../users/users.ts";

export type ArticleRow = Selectable<Articles>;

/** `lockAny` locks an article, deleted or not. References to it may still be added, as by a long import. */
export const { insertWithSlug, update, lock: lockAny } = rowsOf("articles");

export async function lock(tx: Db, id: number): Promise<ArticleRow | undefined> {
  const row = await lockAny(tx, id);
  return row?.state === "deleted" ? undefined : row;
}

export async function updateWithSlug(
  tx: Db,
  { id, change }: { id: number; change: Updateable<Articles> },
  slugs: Generator<string, never>,
): Promise<void> {
  for (const slug of slugs) {
    try {
      return await inSavepoint(tx, () => update(tx, id, { ...change, slug }));
    } catch (error) {
      if (violatedUnique(error) !== "articles_slug_key") throw error;
    }
  }
}

interface Limiting {
  community: Settings;
  now: Date;
}

export async function checkCreation(
  tx: Db,
  locking: Promise<users.Locked>,
  { community, now }: Limiting,
): Promise<void> {
  const author = await locking;
  const [limit, windowSeconds] = users.isNew(author, now)
    ? [community.article_create_new_account_limit, 300]
    : [community.article_create_limit, 30];
  const since = new Date(now.getTime() - windowSeconds * 1_000);
  const [published] = await countPublished(tx, { authorId: author.id, since });
  if ((published?.count ?? 0) >= limit) {
    throw actions.refusedBy({ action: "article_create", limit, windowSeconds });
  }
}

/** Counts published articles, with deleted ones that were public. */
const countPublished = prepare<{ authorId: number; since: Date }, { count: number }>(
  (value) => sql`
    select count(*)::int as count from articles where author_id = ${value("authorId")}::int
      and created_at > ${value("since")}::timestamptz and 'published' in (state, deleted_from)`,
);

const SAME_TITLE_MS = 5 * 60_000;

/** A repeated script or click creates one article. */
export async function refuseRepeatedTitle(
  tx: Db,
  authorId: number,
  { title, now }: { title: string; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - SAME_TITLE_MS);
  const same = await findSameTitle(tx, { authorId, since, title });
  if (same.length > 0) throw invalid("Title has already been used in the last five minutes");
}

const findSameTitle = prepare<{ authorId: number; since: Date; title: string }, object>(
  (value) => sql`
    select from articles where author_id = ${value("authorId")}::int and created_at > ${value("since")}::timestamptz
      and title = ${value("title")} and state <> 'deleted' limit 1`,
);

export async function spendUpdate(tx: Db, userId: number, { community, now }: Limiting): Promise<void> {
  const limit = community.article_update_limit;
  await actions.spend(tx, { userId, action: "article_update", limit, windowSeconds: 30, now });
}
