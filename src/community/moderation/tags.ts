import * as articleUpkeep from "../articles/upkeep.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as listings from "../listings/listings.ts";
import * as editing from "../tags/editing.ts";

/** Moves an alias's uses in small transactions; a background job moves the rest if the process ends early. */
export async function aliasTag(
  actor: Parameters<typeof editing.alias>[0],
  wanted: Parameters<typeof editing.alias>[1],
): Promise<editing.Aliased> {
  const made = await editing.alias(actor, wanted);
  await moveAliased(actor.db, made.alias, actor.now());
  return made;
}

export async function moveAliased(db: Db, alias: string, now: Date): Promise<void> {
  await articleUpkeep.refreshAll(db, { alias }, now);
  await listings.followAlias(db, alias);
}
