import { Value } from "typebox/value";
import type { ResponseCache } from "../cache.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import * as events from "../events/events.ts";
import { DESCRIBED, malformedLink, type SettingKey, Settings } from "./schema.ts";

/** A stored value that this version doesn't accept counts as its default. */
export async function read(db: Db): Promise<Settings> {
  const rows = await db.selectFrom("settings").select(["key", "value"]).execute();
  const stored = rows.filter(({ key, value }) => isKey(key) && Value.Check(Settings.properties[key], value));
  return { ...defaults(), ...Object.fromEntries(stored.map(({ key, value }) => [key, value])) };
}

/** Part of the cache key, so that a change in this process takes effect at once. */
let changesHere = 0;

const cacheKey = () => `settings ${changesHere}`;

const lastRead = new WeakMap<ResponseCache, Settings>();

/** Less than a second old. */
export function cached(cache: ResponseCache, db: Db): Promise<Settings> {
  const load = async () => {
    const current = await read(db);
    lastRead.set(cache, current);
    return current;
  };
  return cache.memoize(cacheKey(), load, { outlivesWrites: true });
}

/** The last that were read, however old, for what needs no database. Defaults until then. */
export function lastKnown(cache: ResponseCache): Settings {
  return lastRead.get(cache) ?? defaults();
}

/** Undefined if they are older than a second. */
export function ifCached(cache: ResponseCache): Settings | undefined {
  return cache.get(cacheKey(), { outlivesWrites: true }) as Settings | undefined;
}

export function defaults(): Settings {
  return Value.Create(Settings);
}

/** The settings without the texts that a private community shows to its members alone. */
export function forStrangers(settings: Settings): Settings {
  if (settings.visibility !== "private") return settings;
  return { ...settings, community_description: "", footer_text: "", navigation_links: "" };
}

/** Running servers apply it within a second. */
export async function set(db: Db, name: string, text: string): Promise<void> {
  const key = checkedKey(name);
  const schema = Settings.properties[key];
  const value = DESCRIBED[key].maximum !== undefined && /^\d+$/.test(text) ? Number(text) : text;
  if (!Value.Check(schema, value))
    throw invalid(`${key} must be ${allowed(key)}, not ${JSON.stringify(faultyPart(key, text))}.`);
  const json = JSON.stringify(value);
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto("settings")
      .values({ key, value: json, updated_at: new Date() })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: json, updated_at: new Date() }))
      .execute();
    await events.record(tx, "setting_changed", { key });
  });
  changesHere += 1;
}

export function checkedKey(name: string): SettingKey {
  if (isKey(name)) return name;
  const known = Object.keys(Settings.properties).join(", ");
  throw invalid(`There is no setting ${JSON.stringify(name)}. Known are: ${known}.`);
}

export function isKey(key: string): key is SettingKey {
  return Object.hasOwn(Settings.properties, key);
}

/** Patterns in words. */
const RULES: Partial<Record<SettingKey, string>> = {
  navigation_links: "lines such as Tags | /tags or Shop | https://shop.example/, at most 2000 characters",
  logo_url: "a path of an image of this site, an https address, or empty",
  accent_color: "a colour such as #b3402e",
  contact_email: "an e-mail address, or empty",
};

export function allowed(key: SettingKey): string {
  const { enum: values, minimum, maximum, minLength, maxLength } = DESCRIBED[key];
  const rule = RULES[key];
  if (values) return `one of ${values.join(", ")}`;
  if (maximum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
  if (rule !== undefined) return rule;
  return `a text of ${minLength ?? 0} to ${maxLength} characters`;
}

/** A value that isn't allowed, or the line of it that is at fault. */
export function faultyPart(key: SettingKey, value: unknown): unknown {
  const isLines = key === "navigation_links" && typeof value === "string";
  return (isLines ? malformedLink(value) : undefined) ?? value;
}
