import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { inTransaction } from "../db/transaction.ts";
import * as events from "../events/events.ts";
import * as organizations from "../organizations/organizations.ts";
import { hotness } from "./hotness.ts";
import * as publication from "./publication.ts";
import * as queries from "./queries.ts";
import { renderBody } from "./rendering.ts";
import type { RenderPool } from "../text/render-pool.ts";
import { RENDERER_VERSION } from "../text/markdown.ts";

/** Whoever asks for an article, as far as it matters here. */
interface Reader {
  id: number;
  role: string;
}

/** Whether this reader may read an article that isn't public: its author, an admin of its organization, or an admin. */
export async function isReadableBy(db: Db, article: queries.FullRow, reader: Reader): Promise<boolean> {
  if (article.author_id === reader.id || reader.role === "admin") return true;
  if (article.organization_id === null) return false;
  return organizations.isAdmin(db, { userId: reader.id, organizationId: article.organization_id });
}

const BATCH = 500;

/**
 * Makes public what is due, each article exactly once however many processes try, and returns how
 * many there were.
 */
export async function publishDue(db: Db, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const published = await inTransaction(db, (tx) => publishBatch(tx, now));
    total += published;
    if (published < BATCH) return total;
  }
}

async function publishBatch(tx: Db, now: Date): Promise<number> {
  const due = await tx
    .selectFrom("articles")
    .select("id")
    .where("state", "=", "scheduled")
    .where("published_at", "<=", now)
    .orderBy("published_at")
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return 0;
  const ids = due.map(({ id }) => id);
  await tx.updateTable("articles").set({ state: "published" }).where("id", "=", anyInt(ids)).execute();
  const changes = publication.noChanges();
  await publication.refresh(tx, ids, { now, changes });
  for (const article_id of ids) await events.record(tx, "article_published", { article_id });
  await publication.applyCounts(tx, changes);
  return ids.length;
}

/** Lets articles cool down as they age, in small transactions; returns how many changed. */
export async function refreshHotness(db: Db, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const cooled = await inTransaction(db, (tx) => coolBatch(tx, now));
    total += cooled;
    if (cooled < BATCH) return total;
  }
}

async function coolBatch(tx: Db, now: Date): Promise<number> {
  const current = hotness(sql.ref("score"), sql.ref("fresh_from"), now);
  const { rows } = await sql<{ cooled: number }>`
    with due as (
      select article_id, ${current} as hotness from published_articles
      where hotness <> score and hotness <> ${current}
      order by article_id limit ${BATCH} for update skip locked
    ), cooled as (
      update published_articles set hotness = due.hotness from due
      where published_articles.article_id = due.article_id returning due.article_id
    ), tagged as (
      update article_tags set hotness = due.hotness from due
      where article_tags.article_id = due.article_id
    )
    select count(*)::int as cooled from cooled`.execute(tx);
  return rows[0]?.cooled ?? 0;
}

const RENDER_BATCH = 50;

/** Renders again what an older renderer made, and returns how many there were. */
export async function renderAgain(db: Db, renderPool: RenderPool): Promise<number> {
  let total = 0;
  for (let last = 0; ;) {
    const batch = await queries.renderedBefore(db, {
      version: RENDERER_VERSION,
      afterId: last,
      limit: RENDER_BATCH,
    });
    if (batch.length === 0) return total;
    for (const { id, body_markdown } of batch) {
      const html = await renderBody(renderPool, body_markdown).then(
        (body) => body.html,
        () => undefined,
      );
      // What this renderer can't do in time keeps the HTML it has.
      if (html !== undefined)
        await queries.replaceHtml(db, { id, body_markdown, html, version: RENDERER_VERSION });
      last = id;
      total += 1;
    }
  }
}

/** Removes everything these people wrote, with what was counted of it. */
export async function removeByAuthors(tx: Db, authorIds: number[], now: Date): Promise<number> {
  const found = await tx
    .selectFrom("articles")
    .select("id")
    .where("author_id", "=", anyInt(authorIds))
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const changes = publication.noChanges();
  await tx
    .updateTable("articles")
    .set({ state: "unpublished" })
    .where("id", "=", anyInt(ids))
    .where("state", "=", "published")
    .execute();
  await publication.refresh(tx, ids, { now, changes });
  await tx.deleteFrom("articles").where("id", "=", anyInt(ids)).execute();
  await publication.applyCounts(tx, changes);
  return ids.length;
}
