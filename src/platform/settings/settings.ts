import { sql } from "kysely";
import type { ResponseCache } from "../cache.ts";
import type { Databases, Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import * as events from "../events/events.ts";
import { accepts } from "../fields/fields.ts";
import { FIELDS, type SettingKey, type Settings, wrongPart } from "./fields.ts";

const DEFAULTS = Object.fromEntries(
  Object.entries(FIELDS).map(([key, { schema }]) => [key, schema.default]),
) as Settings;

/** A stored value that this version doesn't accept counts as its default. */
export async function read(db: Db): Promise<Settings> {
  const rows = await db.selectFrom("settings").select(["key", "value"]).execute();
  const stored = rows.filter(({ key, value }) => isKey(key) && accepts(FIELDS[key], value));
  return { ...defaults(), ...Object.fromEntries(stored.map(({ key, value }) => [key, value])) };
}

/** Part of the cache key, so that a change in this process takes effect at once. */
let changesHere = 0;

const cacheKey = () => `settings ${changesHere}`;

const lastRead = new WeakMap<ResponseCache, Settings>();

/** The settings, less than a second old. */
export function cached(cache: ResponseCache, db: Databases): Promise<Settings> {
  const load = async () => {
    const current = await read(db.shared);
    lastRead.set(cache, current);
    return current;
  };
  return cache.memoize(cacheKey(), load, { outlivesWrites: true });
}

/** The settings that were read last, however old, or the defaults: they need no database. */
export const lastKnown = (cache: ResponseCache): Settings => lastRead.get(cache) ?? defaults();

/** The settings in memory; undefined if they are older than a second. */
export const ifCached = (cache: ResponseCache): Settings | undefined =>
  cache.get(cacheKey(), { outlivesWrites: true }) as Settings | undefined;

/** The keys of the settings in which a person is named: as @lena, by the path /lena, or by e-mail address. */
export async function naming(db: Db, { username, email }: { username: string; email: string | null }) {
  const { rows } = await sql<{ key: string }>`
    select key from settings
    where value::text ~* ${`[@/]${username}([^a-z0-9_]|$)`} or strpos(lower(value::text), lower(${email}::text)) > 0
    order by key`.execute(db);
  return rows.map(({ key }) => key);
}

export const defaults = (): Settings => ({ ...DEFAULTS });

/** The settings without the texts that a private community shows to its members alone. */
export function forAnonymous(settings: Settings): Settings {
  if (settings.visibility !== "private") return settings;
  return { ...settings, community_description: "", footer_text: "", navigation_links: "", footer_links: "" };
}

/** The value that a text stands for. Reports what is at fault, in words that follow the name. */
export function valueIn(key: SettingKey, text: string, report: (words: string) => void): unknown {
  const field = FIELDS[key];
  const value = "maximum" in field.schema && /^\d+$/.test(text) ? Number(text) : text;
  if (!accepts(field, value)) report(`must be ${field.rule}, not ${JSON.stringify(wrongPart(field, text))}`);
  return value;
}

/** Whoever sets it in a transaction calls `noteChange` at its end. */
export async function set(db: Db, name: string, text: string): Promise<void> {
  const key = checkedKey(name);
  const value = valueIn(key, text, (words) => {
    throw invalid(`${key} ${words}.`);
  });
  const json = JSON.stringify(value);
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto("settings")
      .values({ key, value: json, updated_at: new Date() })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: json, updated_at: new Date() }))
      .execute();
    await events.record(tx, "setting_changed", { key });
  });
  noteChange();
}

export function noteChange(): void {
  changesHere += 1;
}

export function checkedKey(name: string): SettingKey {
  if (isKey(name)) return name;
  const known = Object.keys(FIELDS).join(", ");
  throw invalid(`There is no setting ${JSON.stringify(name)}. Known are: ${known}.`);
}

export const isKey = (key: string): key is SettingKey => Object.hasOwn(FIELDS, key);
