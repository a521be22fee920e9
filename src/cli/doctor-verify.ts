import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { examineOne, type Finding } from "./finding.ts";
import { count } from "./output.ts";
import type { Invariant } from "./invariant.ts";
import { ANALYTICS_INVARIANTS } from "./invariants-analytics.ts";
import { ARTICLE_INVARIANTS } from "./invariants-articles.ts";
import { FEED_INVARIANTS } from "./invariants-feeds.ts";
import { FOLLOW_INVARIANTS } from "./invariants-follows.ts";
import { LISTING_INVARIANTS } from "./invariants-listings.ts";
import { COMMENT_INVARIANTS } from "./invariants-comments.ts";
import { NAME_INVARIANTS } from "./invariants-names.ts";
import { PODCAST_INVARIANTS } from "./invariants-podcasts.ts";
import { REACTION_INVARIANTS } from "./invariants-reactions.ts";
import { SEARCH_INVARIANTS } from "./invariants-search.ts";
import { TAG_INVARIANTS } from "./invariants-tags.ts";
import { WEBHOOK_INVARIANTS } from "./invariants-webhooks.ts";

/** More are counted, but not listed: hundreds usually have one cause. */
const NAMED = 10;

/**
 * Compares everything that is kept twice, counted or referred to, as it is at one moment, so that a
 * server may go on writing. Nothing is changed.
 */
export function verify(db: Db, onCheck?: OnCheck): Promise<Finding[]> {
  const snapshot = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return snapshot.execute((tx) => compareAll(tx, onCheck));
}

/** Called before each check. */
export type OnCheck = (check: string, place: { number: number; of: number }) => void;

/** The same in this transaction. The database does the work, and gives no more than the first faults. */
export async function compareAll(tx: Db, onCheck?: OnCheck): Promise<Finding[]> {
  const invariants = [
    ...NAME_INVARIANTS,
    ...ARTICLE_INVARIANTS,
    ...PODCAST_INVARIANTS,
    ...COMMENT_INVARIANTS,
    ...REACTION_INVARIANTS,
    ...LISTING_INVARIANTS,
    ...TAG_INVARIANTS,
    ...SEARCH_INVARIANTS,
    ...FOLLOW_INVARIANTS,
    ...FEED_INVARIANTS,
    ...ANALYTICS_INVARIANTS,
    ...WEBHOOK_INVARIANTS,
  ];
  const findings: Finding[] = [];
  for (const [index, invariant] of invariants.entries()) {
    onCheck?.(invariant.check, { number: index + 1, of: invariants.length });
    findings.push(await examineOne(invariant.check, () => look(tx, invariant)));
  }
  return findings;
}

/** A look that fails keeps none of the others from looking. */
async function look(tx: Db, invariant: Invariant): Promise<Omit<Finding, "check">> {
  await sql`savepoint look`.execute(tx);
  try {
    const found = await judge(tx, invariant);
    await sql`release savepoint look`.execute(tx);
    return found;
  } catch (error) {
    await sql`rollback to savepoint look`.execute(tx);
    throw error;
  }
}

async function judge(tx: Db, { faults }: Invariant): Promise<Omit<Finding, "check">> {
  const query = typeof faults === "function" ? await faults(tx) : faults;
  const { rows } = await sql<{ fault: string; total: string }>`
    select fault, count(*) over () as total from (${query}) as faults limit ${NAMED}`.execute(tx);
  const total = Number(rows[0]?.total ?? 0);
  if (total === 0) return { result: "ok", message: "No faults." };
  const named = rows.map(({ fault }) => fault);
  if (total > rows.length) named.push(`And ${total - rows.length} more.`);
  return { result: "fail", message: `${count(total, "fault")}. ${REPAIR}`, faults: named };
}

const REPAIR =
  "Make a backup; `inkstone export` and `inkstone import` into an empty database write everything anew.";
