import { createHash, randomInt } from "node:crypto";
import { invalid } from "../errors.ts";
import { fold } from "./fold.ts";

/** Route words that stand where a slug stands; no article may take their place. */
const RESERVED: ReadonlySet<string> = new Set(["me", "search", "latest", "by_path", "onboarding"]);

/** The word for it stands in place of a title without Latin letters. */
type Noun = "article" | "listing";

const MAX_STEM = 100;
const MAX_SLUG = 255;

/**
 * Gives the title in the alphabet of slugs: accents dropped, everything else that is not a letter,
 * digit or underscore turned into dashes. A title without Latin letters or digits gives "".
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

/** Makes the same title twice two slugs. */
export function randomChunk(): string {
  return base26(randomInt(100_000));
}

/** The slug of a draft. It says so, because publishing replaces it. */
export function temporarySlug(title: string): string {
  return `${stem(title, "article")}-${randomChunk()}-temp-slug-${randomInt(10_000_000)}`;
}

/** The slug a first publication gives for good. Not certain to be free: the unique index decides. */
export function finalSlug(title: string, noun: Noun = "article"): string {
  return `${stem(title, noun)}-${randomChunk()}`;
}

/** The slug of imported content that brings none: the same content has the same slug every time. */
export function derivedSlug(
  content: { author: string; title: string; createdAt: Date },
  noun: Noun = "article",
): string {
  const key = [content.author, content.title, content.createdAt.toISOString()].join("\0");
  const digest = BigInt(`0x${createHash("sha256").update(key).digest("hex")}`);
  return `${dash(content.title) || noun}-${base26(digest).slice(0, 8)}`;
}

/** Whether a slug given from outside can stand in an address without being taken for something else. */
export function isValidSlug(text: string): boolean {
  return /^[0-9a-z_-]+$/.test(text) && text.length <= MAX_SLUG && !/^\d+$/.test(text) && !RESERVED.has(text);
}

/**
 * The slug that a record names, or else the derived one.
 * @throws AppError invalid
 */
export function recordSlug(
  { slug: given, author, title, created_at }: RecordContent,
  noun: Noun = "article",
): string {
  const slug = given ?? derivedSlug({ author, title, createdAt: new Date(created_at ?? 0) }, noun);
  if (isValidSlug(slug)) return slug;
  throw invalid(
    `slug ${JSON.stringify(slug)} must be of the letters a-z, digits, - and _, and neither a number nor a reserved word`,
  );
}

interface RecordContent {
  slug?: string;
  author: string;
  title: string;
  created_at?: string;
}

/**
 * Titles of other scripts would all share one stem and its 100,000 chunks, so they get a random stem instead.
 */
function stem(title: string, noun: Noun): string {
  return dash(title) || `${noun}-${base26(randomInt(2 ** 32))}`;
}
