import { type RawBuilder, sql } from "kysely";
import { expect } from "vitest";
import type { Db } from "../src/platform/db/connect.ts";
import type { Finding } from "../src/operate/health/finding.ts";
import { checkAll } from "../src/operate/health/invariants.ts";
import type { World } from "./world.ts";

/** The faults by check. */
export const faultsIn = (findings: Finding[]): Record<string, string> =>
  Object.fromEntries(
    findings.flatMap(({ check, result, message, faults = [] }) =>
      result === "ok" ? [] : [[check, [...faults, message].join(" ")]],
    ),
  );

/** The faults after this damage, which is undone. Foreign keys are off meanwhile. */
export async function faultsWith(
  superuser: Db,
  damage: readonly RawBuilder<unknown>[],
): Promise<Record<string, string>> {
  const undone = new Error("undone");
  let found: Record<string, string> = {};
  const work = superuser.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of damage) await statement.execute(tx);
    found = faultsIn(await checkAll(tx));
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  return found;
}

/** The figures of a scrape, by name with labels. */
export async function scrape(world: World): Promise<Map<string, number>> {
  const { status, text } = await world.get("/metrics");
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
