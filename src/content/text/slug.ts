import { createHash, randomInt } from "node:crypto";
import { invalid } from "../../platform/errors.ts";
import { fold } from "./fold.ts";

/** Routes have these words in place of a slug. */
const RESERVED: ReadonlySet<string> = new Set(["me", "search", "latest", "by_path", "onboarding"]);

/** Replaces a title without Latin letters. */
type Noun = "article" | "listing";

const MAX_STEM = 100;
const MAX_SLUG = 255;

/**
 * Drops accents and puts dashes for everything but letters, digits and underscores. A title without Latin letters or
 * digits gives "".
 */
export function dash(title: string): string {
  const dashed = fold(title)
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^0-9a-z_]+/g, "-");
  return trimDashes(shorten(trimDashes(dashed)));
}

function shorten(dashed: string): string {
  if (dashed.length <= MAX_STEM) return dashed;
  const lastDash = dashed.lastIndexOf("-", MAX_STEM);
  return dashed.slice(0, lastDash > MAX_STEM / 2 ? lastDash : MAX_STEM);
}

function trimDashes(text: string): string {
  return text.replace(/^-+/, "").replace(/-$/, "");
}

export function base26(n: number | bigint): string {
  return n.toString(26);
}

export function randomChunk(): string {
  return base26(randomInt(100_000));
}

/** A slug that says that it is temporary: publishing replaces it. */
export function temporarySlug(title: string): string {
  return `${stem(title, "article")}-${randomChunk()}-temp-slug-${randomInt(10_000_000)}`;
}

/** Permanent from the first publication. The unique index decides whether it is free. */
export function finalSlug(title: string, noun: Noun = "article"): string {
  return `${stem(title, noun)}-${randomChunk()}`;
}

/** Makes equal slugs for equal content. */
export function derivedSlug(
  content: { author: string; title: string; createdAt: Date },
  noun: Noun = "article",
): string {
  const key = [content.author, content.title, content.createdAt.toISOString()].join("\0");
  const digest = BigInt(`0x${createHash("sha256").update(key).digest("hex")}`);
  return `${dash(content.title) || noun}-${base26(digest).slice(0, 8)}`;
}

export function isValidSlug(text: string): boolean {
  return /^[0-9a-z_-]+$/.test(text) && text.length <= MAX_SLUG && !/^\d+$/.test(text) && !RESERVED.has(text);
}

/** The slug of a record, or else the derived one. */
export function recordSlug(
  record: { slug?: string; author: string; title: string; created_at?: string },
  noun: Noun = "article",
): string {
  const createdAt = new Date(record.created_at ?? 0);
  const slug = record.slug ?? derivedSlug({ ...record, createdAt }, noun);
  if (isValidSlug(slug)) return slug;
  throw invalid(
    `slug ${JSON.stringify(slug)} must be of the letters a-z, digits, - and _, and neither a number nor a reserved word`,
  );
}

/** Titles of other scripts would share one stem and its 100,000 chunks. */
function stem(title: string, noun: Noun): string {
  return dash(title) || `${noun}-${base26(randomInt(2 ** 32))}`;
}
