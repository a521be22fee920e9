import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import * as events from "../events/events.ts";
import * as actions from "../limits/actions.ts";
import * as organizations from "../organizations/organizations.ts";
import { differs } from "../records/columns.ts";
import type { Settings } from "../settings/schema.ts";
import { finalSlug } from "../text/slug.ts";
import * as users from "../users/users.ts";
import type { Change, ChangeAction, Columns, NewColumns } from "./prepared.ts";
import * as queries from "./queries.ts";

/** Whoever writes, and the organization that they ask for. */
export interface Writer {
  id: number;
  organizationId?: number | undefined;
}

export interface Rules {
  now: Date;
  /** Undefined when there are none. */
  limits: Pick<Settings, "listing_create_limit"> | undefined;
}

const CREATE_WINDOW_SECONDS = 60;

/** Makes a listing and gives its number. @throws AppError unauthorized, rate_limited, invalid */
export async function create(
  tx: Db,
  { writer, prepared, rules }: { writer: Writer; prepared: () => NewColumns; rules: Rules },
): Promise<number> {
  const { now, limits } = rules;
  await requireMember(tx, writer);
  if (limits) {
    await users.hold(tx, [writer.id]);
    const window = { action: "listing_create", windowSeconds: CREATE_WINDOW_SECONDS };
    await actions.spend(tx, { ...window, userId: writer.id, limit: limits.listing_create_limit, now });
  }
  const columns = prepared();
  const listing = {
    ...columns,
    author_id: writer.id,
    organization_id: writer.organizationId ?? null,
    bumped_at: now,
    created_at: now,
  };
  const id = await queries.insert(tx, listing, slugsFor(columns.title));
  await events.record(tx, "listing_created", { listing_id: id, published: columns.published });
  return id;
}

function* slugsFor(title: string): Generator<string, never> {
  for (;;) yield finalSlug(title, "listing");
}

/** @throws AppError unauthorized for an organization that the writer doesn't belong to */
async function requireMember(tx: Db, { id: userId, organizationId }: Writer): Promise<void> {
  if (organizationId === undefined) return;
  if (!(await organizations.isMember(tx, { userId, organizationId }))) throw unauthorized();
}

/** The author of a listing and the admins of its organization see it unpublished and may change it. */
export async function mayEdit(db: Db, userId: number, listing: Owned): Promise<boolean> {
  if (listing.author_id === userId) return true;
  const { organization_id: organizationId } = listing;
  return organizationId !== null && organizations.isAdmin(db, { userId, organizationId });
}

type Owned = Pick<queries.StoredListing, "author_id" | "organization_id" | "published">;

/** @throws AppError unauthorized or, where the writer may not even see the listing, not_found */
export async function requireEditor(db: Db, userId: number, listing: Owned): Promise<void> {
  if (!(await mayEdit(db, userId, listing))) throw listing.published ? unauthorized() : notFound();
}

interface Update {
  id: number;
  writer: Writer;
  prepared: () => Change;
  now: Date;
  /** Refuses what has changed since the writer read it. */
  checkVersion: () => Promise<void>;
}

/** @throws AppError not_found, unauthorized, precondition_failed, rate_limited, invalid */
export async function update(tx: Db, { id, writer, prepared, now, checkVersion }: Update): Promise<void> {
  const existing = await queries.lock(tx, id);
  if (!existing) throw notFound();
  await requireEditor(tx, writer.id, existing);
  const organization = await organizationOf(tx, writer, existing);
  await checkVersion();
  const change = prepared();
  const columns =
    change.action === undefined ? { ...change.columns, ...organization } : DOES[change.action](existing, now);
  await store(tx, existing, columns);
}

async function organizationOf(tx: Db, writer: Writer, { organization_id }: Owned) {
  const { organizationId } = writer;
  if (organizationId === undefined || organizationId === organization_id) return {};
  await requireMember(tx, writer);
  return { organization_id: organizationId };
}

type Stored = Columns & Partial<Pick<queries.StoredListing, "published" | "bumped_at" | "organization_id">>;

const DOES: Record<ChangeAction, (existing: queries.StoredListing, now: Date) => Stored> = {
  publish: () => ({ published: true }),
  unpublish: () => ({ published: false }),
  bump,
};

const DAY_MS = 86_400_000;

/** Moves it to the top of the lists, unless it was moved there, or made, less than a day ago. */
function bump({ bumped_at }: queries.StoredListing, now: Date): Stored {
  const waitMs = bumped_at.getTime() + DAY_MS - now.getTime();
  if (waitMs > 0) throw actions.tooOften(Math.ceil(waitMs / 1_000));
  return { bumped_at: now };
}

/** Whether that was a change. */
async function store(tx: Db, existing: queries.StoredListing, columns: Stored): Promise<boolean> {
  if (!differs(existing, columns)) return false;
  const { id, published } = existing;
  await queries.update(tx, id, columns);
  await events.record(tx, "listing_updated", {
    listing_id: id,
    published: published || columns.published === true,
  });
  return true;
}

const EXPIRY_BATCH = 1_000;

/** Notes which listings have expired, so that lists stay as fast as they are; returns how many there were. */
export async function noteExpired(db: Db, now: Date): Promise<number> {
  for (let total = 0; ;) {
    const noted = await queries.noteExpired(db, now, EXPIRY_BATCH);
    total += noted;
    if (noted < EXPIRY_BATCH) return total;
  }
}

/**
 * Takes a listing from its readers, for whoever runs the site, and tells whether that was a change.
 * @throws AppError invalid when there is none
 */
export function unpublish(db: Db, id: number): Promise<{ id: number; title: string; changed: boolean }> {
  return inTransaction(db, async (tx) => {
    const existing = await queries.lock(tx, id);
    if (!existing) throw invalid(`There is no listing with the id ${id}.`);
    return { id, title: existing.title, changed: await store(tx, existing, { published: false }) };
  });
}
