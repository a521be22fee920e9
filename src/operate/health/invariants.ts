import { sql } from "kysely";
import { INVARIANTS as analytics } from "../../community/analytics/invariants.ts";
import { INVARIANTS as articles } from "../../community/articles/invariants.ts";
import { INVARIANTS as comments } from "../../community/comments/invariants.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Invariant } from "../../platform/db/invariants.ts";
import { INVARIANTS as db } from "../../platform/db/invariants.ts";
import { inSavepoint } from "../../platform/db/transaction.ts";
import { INVARIANTS as follows } from "../../community/follows/invariants.ts";
import { INVARIANTS as imports } from "../../community/feed-imports/invariants.ts";
import { INVARIANTS as podcasts } from "../../community/podcasts/invariants.ts";
import { INVARIANTS as reactions } from "../../community/reactions/invariants.ts";
import { INVARIANTS as search } from "../../search/invariants.ts";
import { INVARIANTS as tags } from "../../community/tags/invariants.ts";
import { count } from "../../platform/text/sentences.ts";
import { asTyped } from "../../platform/config.ts";
import { INVARIANTS as users } from "../../community/users/invariants.ts";
import { INVARIANTS as webhooks } from "../../community/webhooks/invariants.ts";
import { examineOne, fail, type Finding, type Outcome, ok } from "./finding.ts";

const INVARIANTS: readonly Invariant[] = [
  ...users,
  ...db,
  ...articles,
  ...podcasts,
  ...comments,
  ...reactions,
  ...tags,
  ...search,
  ...follows,
  ...imports,
  ...analytics,
  ...webhooks,
];

/** Hundreds usually have one cause. */
const MAX_LISTED = 10;

export type OnCheck = (check: string, place: { number: number; of: number }) => void;

/** Works on one snapshot, so that a server can keep writing. Changes nothing. */
const onSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);

export const verify = (db: Db, onCheck?: OnCheck): Promise<Finding[]> =>
  onSnapshot(db, (tx) => checkAll(tx, onCheck));

export async function checkAll(tx: Db, onCheck?: OnCheck): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, invariant] of INVARIANTS.entries()) {
    onCheck?.(invariant.check, { number: index + 1, of: INVARIANTS.length });
    // The savepoint lets the other checks run after a failing statement.
    const look = () => inSavepoint(tx, () => check(tx, invariant));
    findings.push(await examineOne(invariant.check, look));
  }
  return findings;
}

async function check(tx: Db, { faults }: Invariant): Promise<Outcome> {
  const query = typeof faults === "function" ? await faults(tx) : faults;
  const { rows } = await sql<{ fault: string; total: string }>`
    select fault, count(*) over () as total from (${query}) as faults limit ${MAX_LISTED}`.execute(tx);
  const total = Number(rows[0]?.total ?? 0);
  if (total === 0) return ok("No faults.");
  const named = rows.map(({ fault }) => asTyped(fault));
  if (total > rows.length) named.push(`And ${total - rows.length} more.`);
  return { ...fail(`${count(total, "fault")}. ${REPAIR}`), faults: named };
}

const REPAIR =
  "Make a backup; `inkstone export` and `inkstone import` into an empty database write everything anew.";
