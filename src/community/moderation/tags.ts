import * as articleUpkeep from "../articles/upkeep.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as listings from "../listings/listings.ts";
import * as editing from "../tags/editing.ts";

/** Moves an alias's uses in small transactions; a background job moves the rest if the process ends early. */
export async function aliasTag(
  actor: Parameters<typeof editing.alias>[0],
  wanted: Parameters<typeof editing.alias>[1],
) {
  const made = await editing.alias(actor, wanted);
  return { ...made, ...(await moveAliased(actor.db, made.alias, actor.now())) };
}

export async function moveAliased(db: Db, alias: string, now: Date) {
  return {
    articles: await articleUpkeep.refreshAll(db, { alias }, now),
    listings: await listings.followAlias(db, alias),
  };
}
