import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** An unpublished article is announced when it is published. */
export async function begin(tx: Db, articleId: number): Promise<void> {
  await sql`insert into announcements (article_id) values (${articleId}) on conflict do nothing`.execute(tx);
}

export function lockNext(tx: Db, limit: number) {
  return tx
    .selectFrom("announcements")
    .select(["article_id", "told_up_to"])
    .where("due_at", "<=", sql<Date>`now()`)
    .orderBy("due_at")
    .orderBy("article_id")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function advance(tx: Db, articleId: number, toldUpTo: number): Promise<void> {
  await sql`
    update announcements set told_up_to = ${toldUpTo}, due_at = now() where article_id = ${articleId}`.execute(
    tx,
  );
}

export async function end(tx: Db, articleId: number): Promise<void> {
  await tx.deleteFrom("announcements").where("article_id", "=", articleId).execute();
}

export function postpone(db: Db, articleId: number, seconds: number): Promise<void> {
  return setDue(db, articleId, sql`now() + make_interval(secs => ${seconds})`);
}

/** Until its article is published again. */
export function park(tx: Db, articleId: number): Promise<void> {
  return setDue(tx, articleId, sql`'infinity'`);
}

export async function resume(tx: Db, articleId: number): Promise<void> {
  await sql`
    update announcements set due_at = now() where article_id = ${articleId} and due_at = 'infinity'`.execute(
    tx,
  );
}

async function setDue(db: Db, articleId: number, due: RawBuilder<unknown>): Promise<void> {
  await sql`update announcements set due_at = ${due} where article_id = ${articleId}`.execute(db);
}
