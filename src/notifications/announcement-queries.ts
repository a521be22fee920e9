import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Has followers told of a publication from now on. */
export async function begin(tx: Db, articleId: number): Promise<void> {
  await tx
    .insertInto("announcements")
    .values({ article_id: articleId })
    .onConflict((conflict) => conflict.column("article_id").doNothing())
    .execute();
}

/** The publication that has waited longest for its next followers and that no other process works on. */
export function lockNext(tx: Db) {
  return tx
    .selectFrom("announcements")
    .select(["article_id", "told_up_to"])
    .where("due_at", "<=", sql<Date>`now()`)
    .orderBy("due_at")
    .orderBy("article_id")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Notes whom the last of those was that have been told; others have their turn before the next. */
export async function advance(tx: Db, articleId: number, toldUpTo: number): Promise<void> {
  await tx
    .updateTable("announcements")
    .set({ told_up_to: toldUpTo, due_at: sql<Date>`now()` })
    .where("article_id", "=", articleId)
    .execute();
}

export async function end(tx: Db, articleId: number): Promise<void> {
  await tx.deleteFrom("announcements").where("article_id", "=", articleId).execute();
}

/** Leaves one alone for so long. */
export function postpone(db: Db, articleId: number, seconds: number): Promise<void> {
  return setDue(db, articleId, sql`now() + make_interval(secs => ${seconds})`);
}

/** Leaves one alone until its article is published again. */
export function park(tx: Db, articleId: number): Promise<void> {
  return setDue(tx, articleId, sql`'infinity'`);
}

/** Goes on with what was parked, if it was. */
export async function resume(tx: Db, articleId: number): Promise<void> {
  await sql`
    update announcements set due_at = now() where article_id = ${articleId} and due_at = 'infinity'`.execute(
    tx,
  );
}

async function setDue(db: Db, articleId: number, due: RawBuilder<unknown>): Promise<void> {
  await sql`update announcements set due_at = ${due} where article_id = ${articleId}`.execute(db);
}
