import type { Origin } from "../articles/origins.ts";
import { retiredPath } from "../articles/retired-paths.ts";
import { pathUnder } from "../paths.ts";
import { parseMoment } from "../text/dates.ts";
import { derivedSlug, isValidSlug } from "../text/slug.ts";
import type { CommunityRecord } from "./reader.ts";

/** A later date is a mistake: no article waits that long. */
const MAX_YEARS_AHEAD = 5;

/**
 * A date of another program, as records have it: a text in UTC, or milliseconds. Undefined for `0000-00-00`, a year
 * such as 2999, and other values.
 */
export function momentOf(value: unknown, now: Date): string | undefined {
  const date = typeof value === "number" ? new Date(value) : parseMoment(String(value));
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS_AHEAD);
  if (date === undefined || Number.isNaN(date.getTime()) || date > latest) return undefined;
  return date.toISOString();
}

interface Dates {
  published_at: unknown;
  created_at: string | undefined;
  now: Date;
}

const NO_DATE = /^0000-00-00/;

/** Whether and since when an article is published. One with a date that can't be used waits as a draft. */
export function publicationOf(isPublished: boolean, { published_at, created_at, now }: Dates) {
  if (!isPublished) return { published: false };
  const given = NO_DATE.test(String(published_at)) ? created_at : (published_at ?? created_at);
  if (given === undefined) return { published: true };
  const date = momentOf(given, now);
  if (date !== undefined) return { published: true, published_at: date };
  return { published: false, remark: "a date of publication can't be used: the article becomes a draft" };
}

/** Tags are single words here: `Getting Started` becomes `gettingstarted`. */
export function tagNames(names: readonly string[]): string[] {
  return names.map((name) => name.replaceAll(/[\s_-]+/g, ""));
}

interface Wanted {
  /** The slug on the other site; any text. */
  slug: string;
  author: string;
  title: string;
  created_at: string | undefined;
}

export const NEW_SLUG =
  "a slug is a reserved word or number here, or belongs to another article: a new one is made";

/**
 * Gives the articles of an import their slugs: the old ones where they are free or of the same article, which has the
 * same author and age. Each import of a file gives the same.
 * @param originOf looks up the articles of this site
 */
export function createSlugs(originOf: (slug: string) => Promise<Origin | undefined>) {
  const used = new Set<string>();
  return async ({ slug, author, title, created_at }: Wanted): Promise<{ slug: string; isNew: boolean }> => {
    const createdAt = new Date(created_at ?? 0);
    const isOwn = ({ author: name, created_at: time }: Origin) =>
      name === author && (created_at === undefined || time.getTime() === createdAt.getTime());
    const origin = isValidSlug(slug) && !used.has(slug) ? await originOf(slug) : undefined;
    const isNew = !isValidSlug(slug) || used.has(slug) || (origin !== undefined && !isOwn(origin));
    const given = isNew ? derivedSlug({ author, title, createdAt }) : slug;
    used.add(given);
    return { slug: given, isNew };
  };
}

/** A text without what can't be stored; undefined for a blank one and for other values. */
export function stringOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll("\0", "").toWellFormed();
  return text.trim() === "" ? undefined : text;
}

/** A name or number as a text; empty for other values. */
export const wordOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** The record without keys that have no value. */
export function withoutNothing<Keys extends Record<string, unknown>>(record: Keys): Keys {
  const given = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Keys;
}

/** The record of an article's address on the other site, unless it is the same here. */
export function formerPath(address: string, article: { author: string; slug: string }): CommunityRecord[] {
  const path = retiredPath(address);
  const isSame = path === undefined || path === pathUnder(article.author, article.slug);
  return isSame ? [] : [{ type: "retired_path", path, article: article.slug }];
}
