import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { outdated } from "../search/rows.ts";
import { compareMemory } from "../search/verify.ts";
import * as settings from "../settings/settings.ts";
import { fail, type Outcome, ok, warn } from "./finding.ts";
import { MAX_LISTED, onSnapshot } from "./invariants.ts";

/** Compares searches out of the memory that a server would have with searches without one. */
export async function checkMemory(
  db: Db,
  { searchMemoryBytes: maxBytes }: Pick<Config, "searchMemoryBytes">,
): Promise<Outcome> {
  if (maxBytes === 0) return ok("SEARCH_MEMORY_MEGABYTES is 0: search reads the tables alone.");
  const { search_language: language } = await settings.read(db);
  if ((await outdated(db, language, 1)).length > 0)
    return warn("Some articles are indexed by former rules: compare again when the server has indexed them.");
  const { searches, faults } = await onSnapshot(db, (tx) =>
    compareMemory(tx, { maxBytes, language, now: new Date() }),
  );
  if (faults.length === 0)
    return ok(`Searches: ${searches}, each of them finds the same in memory as in the tables.`);
  const message = `${faults.length} of ${searches} searches differ: report this with the version of Inkstone, and set SEARCH_MEMORY_MEGABYTES=0 until then.`;
  return { ...fail(message), faults: faults.slice(0, MAX_LISTED) };
}
