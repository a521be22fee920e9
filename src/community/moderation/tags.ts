import * as articleUpkeep from "../articles/upkeep.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as listings from "../listings/listings.ts";
import * as editing from "../tags/editing.ts";

/** Moves an alias's uses in small transactions; a background job moves the rest if the process ends early. */
export async function aliasTag(db: Db, wanted: Parameters<typeof editing.alias>[1]) {
  const made = await editing.alias(db, wanted);
  return { ...made, ...(await moveAliased(db, made.alias, new Date())) };
}

export async function moveAliased(db: Db, alias: string, now: Date) {
  return {
    articles: await articleUpkeep.refreshAll(db, { alias }, now),
    listings: await listings.followAlias(db, alias),
  };
}
