import type { Reference } from "../records/declaration.ts";
import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";

export interface PreferredTag {
  id: number;
  name: string;
}

/**
 * The tags of these names, which are in their stored spelling already; an alias gives the tag it
 * stands for, and names nobody used before become tags, which everybody sees. Two who resolve the
 * same new name at once get the same tag.
 */
export async function resolve(tx: Db, names: readonly string[]): Promise<Map<string, PreferredTag>> {
  const found = await known(tx, names);
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length === 0) return found;
  await queries.insertMissing(tx, unknown);
  return new Map([...found, ...(await known(tx, unknown))]);
}

export function spelling(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** Whether a tag may have this spelling: PostgreSQL can't hold NUL. */
export function isStorable(spelling: string): boolean {
  return spelling !== "" && !spelling.includes("\0");
}

/** Ids by spelling of the tags of these names in any case, aliases followed; unknown names are missing. */
export async function idsByName(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const wanted = names.map(spelling).filter(isStorable);
  return new Map([...(await known(db, wanted))].map(([name, { id }]) => [name, id]));
}

/** Records name tags in any case, and an alias stands for its tag. */
export const byName: Reference = { find: idsByName, spell: spelling, noun: "a tag" };

/**
 * Adds to the number of published articles of each tag. Last in a transaction: everyone who publishes needs
 * these rows.
 */
export async function changeCounts(tx: Db, changes: ReadonlyMap<number, number>): Promise<void> {
  const entries = [...changes].filter(([, by]) => by !== 0).toSorted(([one], [other]) => one - other);
  if (entries.length === 0) return;
  const ids = entries.map(([id]) => id);
  // Locked in the same order by everybody, so that two who count the same tags don't wait for each other.
  await sql`
    with held as materialized (
      select id from tags where id = any(${ids}::int[]) order by id for no key update
    )
    update tags set articles_count = articles_count + change.by
    from held
    join unnest(${ids}::int[], ${entries.map(([, by]) => by)}::int[]) as change (id, by) using (id)
    where tags.id = held.id`.execute(tx);
}

/**
 * Removes those of these tags that no published article carries, nobody follows and no other tag stands for;
 * returns how many.
 */
export async function removeUnused(tx: Db, ids: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tags where id = any(${ids}::int[])
      and not exists (select from article_tags where tag_id = tags.id)
      and not exists (select from follows where tag_id = tags.id)
      and not exists (
        select from tags as alias where alias.alias_for = tags.id and not alias.id = any(${ids}::int[])
      )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Those of these names, in their stored spelling, that are tags; an alias gives the tag it stands
 * for. What isn't public is given no more than these: a new tag would tell its name to everybody.
 */
export async function known(db: Db, names: readonly string[]): Promise<Map<string, PreferredTag>> {
  if (names.length === 0) return new Map();
  const rows = await queries.findByName(db, names);
  return new Map(rows.map(({ asked, id, name }) => [asked, { id, name }]));
}

/** These names, in their stored spelling, with each alias replaced by its tag, each once. */
export async function preferred(db: Db, names: readonly string[]): Promise<string[]> {
  const tags = await known(db, names);
  return [...new Set(names.map((name) => tags.get(name)?.name ?? name))];
}
