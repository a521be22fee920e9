import * as articleUpkeep from "../articles/upkeep.ts";
import type { Db } from "../db/connect.ts";
import * as listings from "../listings/listings.ts";
import * as editing from "../tags/editing.ts";

/**
 * Makes a name an alias of a tag and moves what carries it, in small transactions. If the process ends early,
 * the background job that `editing.alias` enqueued moves the rest.
 * @throws AppError invalid
 */
export async function aliasTag(db: Db, wanted: Parameters<typeof editing.alias>[1]) {
  const made = await editing.alias(db, wanted);
  return { ...made, ...(await moveAliased(db, made.alias, new Date())) };
}

/** Puts the tag in the place of its alias in all articles and listings, and counts them. */
export async function moveAliased(db: Db, alias: string, now: Date) {
  return {
    articles: await articleUpkeep.refreshAll(db, { alias }, now),
    listings: await listings.followAlias(db, alias),
  };
}
