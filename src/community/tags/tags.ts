import type { Reference } from "../records/declaration.ts";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyText } from "../../platform/db/values.ts";
import * as queries from "./queries.ts";

export interface PreferredTag {
  id: number;
  name: string;
}

export function spelling(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** PostgreSQL can't hold NUL. */
export function isStorable(spelling: string): boolean {
  return spelling !== "" && !spelling.includes("\0");
}

export async function idsByName(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const wanted = names.map(spelling).filter(isStorable);
  return new Map([...(await known(db, wanted))].map(([name, { id }]) => [name, id]));
}

export const byName: Reference = { find: idsByName, spell: spelling, noun: "a tag" };

/** Removes tags without articles, followers and aliases; returns their number. */
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

/** Removes those of these names that are nothing but names now. */
export async function removeForgotten(tx: Db, names: readonly string[]): Promise<void> {
  // The lock waits for a writer who adds an article, which the next statement then sees.
  const { rows } = await sql<{ id: number }>`
    select id from tags where name = ${anyText(names)} and articles_count = 0
      and num_nonnulls(bg_color_hex, text_color_hex, short_summary, alias_for) = 0
    order by id for update`.execute(tx);
  await removeUnused(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Existing tags; aliases give their tag. For content that isn't public: a new tag would reveal its name. */
export async function known(db: Db, names: readonly string[]): Promise<Map<string, PreferredTag>> {
  if (names.length === 0) return new Map();
  const rows = await queries.findByName(db, { names });
  return new Map(rows.map(({ asked, id, name }) => [asked, { id, name }]));
}

export async function preferred(db: Db, names: readonly string[]): Promise<string[]> {
  const tags = await known(db, names);
  return [...new Set(names.map((name) => tags.get(name)?.name ?? name))];
}

export { directory, findForStaff, listForStaff, search } from "./queries.ts";

export async function find(db: Db, name: string) {
  const asked = spelling(name);
  return isStorable(asked) ? queries.find(db, asked) : undefined;
}

/** The name of a tag that was typed, maybe with `#`; undefined for what can't be one. */
export function nameOf(text: string): string | undefined {
  const name = spelling(text.replace(/^\s*#/, ""));
  return isStorable(name) ? name : undefined;
}

export async function named(db: Db, text: string, limit: number) {
  const name = nameOf(text);
  return name === undefined ? [] : queries.named(db, name, limit);
}
