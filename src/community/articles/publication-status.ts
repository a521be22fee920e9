import { randomInt } from "node:crypto";
import { invalid } from "../../platform/errors.ts";
import { base26, finalSlug, temporarySlug } from "../../content/text/slug.ts";

/** `scheduled` becomes `published` by the clock; `unpublished` was published once, `draft` never. */
export type State = "draft" | "scheduled" | "published" | "unpublished" | "deleted";

/** The date of the first or scheduled publication. */
export interface PublicationStatus {
  state: State;
  published_at: Date | null;
  /** Why staff unpublished it, maybe nothing; null for one that its author may publish. */
  unpublish_reason: string | null;
}

/** A `date` in front matter is often the file's, so its faults are ignored. */
export interface WantedDate {
  moment: Date;
  by: "attribute" | "front matter" | "date";
}

interface Request {
  published?: boolean | undefined;
  date?: WantedDate | undefined;
}

interface SaveContext {
  now: Date;
  warn: (sentence: string) => void;
  /** Whether its author writes, and whether an admin does. */
  isOwn: boolean;
  isAdmin: boolean;
}

const NEW: PublicationStatus = { state: "draft", published_at: null, unpublish_reason: null };

interface Stored {
  state: string;
  published_at: Date | null;
  unpublish_reason: string | null;
}

/**
 * The date of the first publication stays, because feeds and rankings are ordered by it.
 * @throws AppError invalid for an impossible date, and for an author's article that staff unpublished
 */
export function save(
  before: Stored = NEW,
  { published, date }: Request,
  context: SaveContext,
): PublicationStatus {
  const { now, warn, isOwn, isAdmin } = context;
  const current = asOf(before, now);
  const wasOut = current.state === "published" || current.state === "unpublished";
  const isSame = date === undefined || isThatOf(current, date);
  if (!(published ?? isClaimed(current.state))) {
    if (!isSame) warn(ignored(date, current, now));
    return hide(current, isClaimed(current.state) && !isOwn ? "" : null);
  }
  if (isHeld(current) && !isAdmin)
    throw invalid(
      `Published can't be true: staff unpublished this article, and only an admin can publish it again. Their reason: ${current.unpublish_reason || "none given"}`,
    );
  if (!wasOut) {
    const planned = current.state === "scheduled" ? current.published_at : null;
    const moment = usableDate(date, context) ?? planned ?? now;
    return publishedAt(moment, now);
  }
  if (!isSame && date.by === "front matter") {
    throw invalid(
      "Published at updating published_at for articles that have already been published is not allowed",
    );
  }
  if (!isSame) warn(keepsItsDate(date));
  return { ...current, state: "published", unpublish_reason: null };
}

const publishedAt = (moment: Date, now: Date): PublicationStatus => ({
  state: moment > now ? "scheduled" : "published",
  published_at: moment,
  unpublish_reason: null,
});

interface Recorded {
  isPublished: boolean;
  own: Date | null;
  date: Date | "unreadable" | null | undefined;
  unpublishReason: string | undefined;
  now: Date;
}

/**
 * The status that a record asks for: a future date schedules the article, a past one dates it back, and an unpublished
 * article keeps its first date. What staff unpublished stays so.
 * @throws AppError invalid for an unreadable date, because ignoring it would date an old article today
 */
export function recorded(
  existing: Stored | undefined,
  { isPublished, own, date, unpublishReason, now }: Recorded,
): PublicationStatus {
  if (!isPublished || (existing && isHeld(existing))) {
    const first = own ?? existing?.published_at ?? null;
    const state = first === null || first > now ? "draft" : "unpublished";
    const unpublish_reason = unpublishReason ?? existing?.unpublish_reason ?? null;
    return { state, published_at: first, unpublish_reason };
  }
  if (own === null && date === "unreadable") {
    throw invalid("The date in the front matter of body_markdown can't be read: give published_at beside it");
  }
  const moment = own ?? (date as Date | null | undefined) ?? existing?.published_at ?? now;
  return publishedAt(moment, now);
}

/** @param reason that of staff; null for the author */
export function unpublish(before: Stored, reason: string | null, now: Date): PublicationStatus {
  return hide(asOf(before, now), reason);
}

/** A scheduled article is public from its date, marked or not. */
function asOf({ state, published_at, unpublish_reason }: Stored, now: Date): PublicationStatus {
  const isDue = state === "scheduled" && published_at !== null && published_at <= now;
  return { state: isDue ? "published" : (state as State), published_at, unpublish_reason };
}

function hide(before: PublicationStatus, reason: string | null = null): PublicationStatus {
  const current = { ...before, unpublish_reason: reason ?? before.unpublish_reason };
  if (current.state === "published") return { ...current, state: "unpublished" };
  return current.state === "scheduled" ? { ...NEW, unpublish_reason: current.unpublish_reason } : current;
}

/** Whether staff unpublished it, so that an admin or the operator alone publishes it again. */
export function isHeld({ state, unpublish_reason }: Stored): boolean {
  return unpublish_reason !== null && !isClaimed(state);
}

/** If the clock was set back, the article waits for its date again. */
export function isPublic({ state, published_at }: Omit<Stored, "unpublish_reason">, now: Date): boolean {
  return state === "published" && published_at !== null && published_at <= now;
}

export function isClaimed(state: string): boolean {
  return state === "published" || state === "scheduled";
}

const LATEST_PAST_MS = 15 * 60_000;
const MAX_YEARS_AHEAD = 5;

function usableDate(date: WantedDate | undefined, { now, warn }: SaveContext): Date | null {
  if (date === undefined) return null;
  const { moment, by } = date;
  if (isPast(moment, now)) {
    if (by !== "date") throw invalid("Published at only future or current published_at allowed");
    warn(PAST_DATE);
    return null;
  }
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() + MAX_YEARS_AHEAD);
  if (moment > limit) throw invalid(`Published at must be at most ${MAX_YEARS_AHEAD} years ahead`);
  return moment;
}

const PAST_DATE = "The date in the front matter was ignored: an article can't be published in the past.";

function isPast(moment: Date, now: Date): boolean {
  return now.getTime() - moment.getTime() > LATEST_PAST_MS;
}

const NAMES: Record<WantedDate["by"], string> = {
  attribute: "Attribute published_at",
  "front matter": "The published_at in the front matter",
  date: "The date in the front matter",
};

function ignored(date: WantedDate, current: PublicationStatus, now: Date): string {
  if (current.state !== "scheduled" && current.published_at) return keepsItsDate(date);
  if (date.by === "date" && isPast(date.moment, now)) return PAST_DATE;
  return `${NAMES[date.by]} was ignored: send it with published: true.`;
}

const TOLERANCE_MS = 60_000;

/** Whether a date is that of the publication, give or take a minute: clients round dates. */
function isThatOf(current: PublicationStatus, { moment }: WantedDate): boolean {
  const { published_at, state } = current;
  if (published_at === null || state === "scheduled") return false;
  return Math.abs(moment.getTime() - published_at.getTime()) <= TOLERANCE_MS;
}

function keepsItsDate({ by }: WantedDate): string {
  return `${NAMES[by]} was ignored: an article keeps the date of its first publication.`;
}

/** How often short tails are tried: a hundred thousand uses of a title take all of them. */
const SHORT_TRIES = 8;

export function* slugsFor(state: State, title: string): Generator<string, never> {
  for (let attempt = 1; ; attempt++) {
    const slug = isClaimed(state) ? finalSlug(title) : temporarySlug(title);
    yield attempt <= SHORT_TRIES || isTemporary(slug) ? slug : `${slug}-${base26(randomInt(2 ** 32))}`;
  }
}

/** The final slug never changes. */
export function getsFinalSlug(before: { state: string; slug: string }, after: State): boolean {
  return before.state === "draft" && isClaimed(after) && isTemporary(before.slug);
}

export function isTemporary(slug: string): boolean {
  return /-temp-slug-\d{1,7}$/.test(slug);
}

export interface Crosspost {
  publishedAt: Date | undefined;
}

/**
 * Keeps the date of the first publication, unless it is in the future. Until the publication here, crossposted_at
 * only marks the origin.
 */
export function crossposted<T extends PublicationStatus>(
  columns: T,
  { publishedAt }: Crosspost,
  now: Date,
): T & { crossposted_at: Date } {
  const isOut = columns.state === "published";
  const first = publishedAt !== undefined && publishedAt < now ? publishedAt : now;
  return { ...columns, crossposted_at: now, ...(isOut && { published_at: first }) };
}

/** The change at the first publication here, or its scheduling. */
export function crosspostedBy(
  existing: { state: string; crossposted_at: Date | null },
  { state, published_at }: PublicationStatus,
): { crossposted_at?: Date } {
  const isFirst = existing.state === "draft" || existing.state === "scheduled";
  if (existing.crossposted_at === null || !isFirst || published_at === null) return {};
  return isClaimed(state) ? { crossposted_at: published_at } : {};
}

const NEWS_MS = 7 * 86_400_000;

export function isNews({ publishedAt }: Crosspost, now: Date): boolean {
  return publishedAt === undefined || now.getTime() - publishedAt.getTime() <= NEWS_MS;
}
