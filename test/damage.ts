import { type RawBuilder, sql } from "kysely";
import { expect } from "vitest";
import { checkAll } from "../src/health/invariants.ts";
import type { Finding } from "../src/health/finding.ts";
import type { Db } from "../src/db/connect.ts";

/** What is wrong, by the name of the check. */
export const faultsIn = (findings: Finding[]): Record<string, string> =>
  Object.fromEntries(
    findings.flatMap(({ check, result, message, faults = [] }) =>
      result === "ok" ? [] : [[check, [...faults, message].join(" ")]],
    ),
  );

/** What is said of a database with this damage, which is taken back. References aren't watched over meanwhile. */
export async function faultsWith(
  db: Db,
  damage: readonly RawBuilder<unknown>[],
): Promise<Record<string, string>> {
  const undone = new Error("undone");
  let found: Record<string, string> = {};
  const work = db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of damage) await statement.execute(tx);
    found = faultsIn(await checkAll(tx));
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  return found;
}
