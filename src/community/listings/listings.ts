import { type Actor, type Author, userOf } from "../../http/actor.ts";
import { renderHtml } from "../articles/rendering.ts";
import type { Db } from "../../platform/db/connect.ts";
import { differs } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { deferRefusal, invalid, notFound, unauthorized } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { createErrors, type FieldErrors, readFields, type Values } from "../../platform/fields/fields.ts";
import * as actions from "../../platform/limits/actions.ts";
import * as organizations from "../organizations/organizations.ts";
import * as tags from "../tags/tags.ts";
import type { RenderPool } from "../../content/text/render-pool.ts";
import { RENDERER_VERSION, rerenderHtml } from "../../platform/jobs/rerender.ts";
import { finalSlug } from "../../content/text/slug.ts";
import * as log from "../log/log.ts";
import { requireOver } from "../users/moderation.ts";
import * as users from "../users/users.ts";
import { CHANGE_FIELDS, type ChangeAction, CREATE_FIELDS, type FIELDS, unwrap } from "./fields.ts";
import * as queries from "./queries.ts";

export { categories, findBySlug, list, search } from "./queries.ts";

type Stored = Partial<queries.StoredListing>;

const CREATE_WINDOW_SECONDS = 60;

export async function create(actor: Author<queries.ListingRow>, body: unknown): Promise<queries.ListingRow> {
  const errors = createErrors();
  const values = readFields(CREATE_FIELDS, { title: "", body_markdown: "", ...unwrap(body) }, errors);
  const { listing_create_limit: limit } = await actor.settings();
  const checked = await deferRefusal(() => columnsOf(actor, { values, errors, isNew: true }));
  return actor.run(async (tx) => {
    const [{ id: userId }, now] = [userOf(actor), actor.now()];
    await requireMember(tx, userId, values.organization_id);
    if (actor.isLimited) {
      await users.lock(tx, [userId]);
      const window = { action: "listing_create", windowSeconds: CREATE_WINDOW_SECONDS };
      await actions.spend(tx, { ...window, userId, limit, now });
    }
    const columns = checked();
    const published = values.action !== "draft";
    const listing = {
      ...(columns as queries.NewListing),
      author_id: userId,
      organization_id: values.organization_id ?? null,
      published,
      bumped_at: now,
      created_at: now,
    };
    const id = await queries.insertWithSlug(tx, listing, slugsFor(listing.title));
    await events.record(tx, "listing_created", { listing_id: id, published });
    return shown(tx, id);
  });
}

function* slugsFor(title: string): Generator<string, never> {
  for (;;) yield finalSlug(title, "listing");
}

async function requireMember(tx: Db, userId: number, organizationId: number | undefined): Promise<void> {
  if (organizationId === undefined) return;
  if (!(await organizations.isMember(tx, { userId, organizationId }))) throw unauthorized();
}

async function shown(tx: Db, id: number): Promise<queries.ListingRow> {
  const row = await queries.findById(tx, id);
  if (!row) throw new Error("a listing that is locked is there");
  return row;
}

interface Input {
  values: Values<typeof FIELDS>;
  errors: FieldErrors;
  isNew: boolean;
}

async function columnsOf({ db, renderer }: Author, { values, errors, isNew }: Input): Promise<Stored> {
  const { body_markdown, tags: names, category, listing_category_id, ...others } = values;
  const category_id = await categoryOf(db, category, listing_category_id);
  if (Number.isNaN(category_id) || (isNew && category_id === undefined)) {
    errors.of("listing_category")("must exist");
  }
  errors.throwIfAny();
  return {
    ...(others.title !== undefined && { title: others.title }),
    ...(others.location !== undefined && { location: others.location }),
    ...(others.expires_at !== undefined && { expires_at: others.expires_at }),
    ...(category_id !== undefined && { category_id }),
    ...(names && { tag_list: await tags.preferred(db, names) }),
    ...(body_markdown !== undefined && {
      body_markdown,
      body_html: await renderHtml(db, renderer, body_markdown),
      renderer_version: RENDERER_VERSION,
    }),
  };
}

/** NaN for an unknown category, undefined for none. */
async function categoryOf(db: Db, slug: string | undefined, id: number | undefined) {
  const ids = await queries.categoryIds(db);
  if (slug !== undefined) return ids.get(slug.toLowerCase()) ?? NaN;
  if (id === undefined || Number.isNaN(id)) return id;
  return [...ids.values()].includes(id) ? id : NaN;
}

export async function mayEdit(db: Db, userId: number, listing: Owned): Promise<boolean> {
  if (listing.author_id === userId) return true;
  const { organization_id: organizationId } = listing;
  return organizationId !== null && organizations.isAdmin(db, { userId, organizationId });
}

type Owned = Pick<queries.StoredListing, "author_id" | "organization_id" | "published">;

async function requireEditor(db: Db, userId: number, listing: Owned | undefined): Promise<void> {
  if (!listing) throw notFound();
  if (!(await mayEdit(db, userId, listing))) throw listing.published ? unauthorized() : notFound();
}

interface Change {
  id: number;
  body: unknown;
  /** Refuses a row that has changed since the caller read it. */
  ifMatch?: ((row: queries.ListingRow) => void) | undefined;
}

export async function update(
  actor: Author<queries.ListingRow>,
  { id, body, ifMatch }: Change,
): Promise<queries.ListingRow> {
  // Saves rendering; the transaction decides again.
  await requireEditor(actor.db, userOf(actor).id, await queries.findById(actor.db, id));
  const given = unwrap(body);
  const errors = createErrors();
  const values = readFields(CHANGE_FIELDS, given, errors);
  const { action } = values;
  const checked = action
    ? () => ({})
    : await deferRefusal(() => columnsOf(actor, { values, errors, isNew: false }));
  return actor.run(async (tx) => {
    const { id: userId } = userOf(actor);
    const existing = await queries.lock(tx, id);
    await requireEditor(tx, userId, existing);
    if (!existing) throw notFound();
    const asked = given["action"] ? undefined : values.organization_id;
    const isMoved = asked !== undefined && asked !== existing.organization_id;
    if (isMoved) await requireMember(tx, userId, asked);
    ifMatch?.(await shown(tx, id));
    const change = action ? ACTIONS[action](existing, actor.now()) : checked();
    await store(tx, existing, { ...change, ...(isMoved && { organization_id: asked }) });
    return shown(tx, id);
  });
}

const DAY_MS = 86_400_000;

const ACTIONS: Record<ChangeAction, (existing: queries.StoredListing, now: Date) => Stored> = {
  publish({ hidden_reason: reason }) {
    if (reason !== null)
      throw invalid(
        `Action can't be "publish": staff unpublished this listing, and only they can publish it again. Their reason: ${reason || "none given"}`,
      );
    return { published: true };
  },
  unpublish: () => ({ published: false }),
  /** Once a day. */
  bump({ bumped_at }, now) {
    const waitMs = bumped_at.getTime() + DAY_MS - now.getTime();
    if (waitMs > 0) throw actions.tooOften(Math.ceil(waitMs / 1_000));
    return { bumped_at: now };
  },
};

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

/**
 * Unpublishes a listing for staff. Returns whether that was a change.
 * @throws AppError invalid when there is none
 */
export const unpublish = (actor: Actor<boolean>, id: number, reason: string): Promise<boolean> =>
  setPublished(actor, { id, published: false, reason });

/** Publishes a listing again that staff unpublished. Returns whether that was a change. */
export const restore = (actor: Actor<boolean>, id: number, reason: string): Promise<boolean> =>
  setPublished(actor, { id, published: true, reason });

function setPublished(
  actor: Actor<boolean>,
  { id, published, reason }: { id: number; published: boolean; reason: string },
): Promise<boolean> {
  return actor.run(async (tx) => {
    const existing = await queries.lock(tx, id);
    if (!existing) throw invalid(`There is no listing with the id ${id}.`);
    await requireOver(tx, actor, existing.author_id);
    if (published ? existing.hidden_reason === null : !existing.published) return false;
    await store(tx, existing, { published, hidden_reason: published ? null : reason.trim() });
    const act = published ? "restore_listing" : "unpublish_listing";
    await log.record(tx, actor, { act, on: { kind: "listing", id }, reason });
    return true;
  });
}

const ALIAS_BATCH = 500;

export async function followAlias(db: Db, alias: string): Promise<number> {
  for (let total = 0, after = 0; ;) {
    const ids = await inTransaction(db, (tx) => queries.replaceTag(tx, alias, { after, limit: ALIAS_BATCH }));
    const last = ids.at(-1);
    if (last === undefined) return total;
    total += ids.length;
    after = last;
  }
}

export function rerender(db: Db, renderPool: RenderPool): Promise<number> {
  return rerenderHtml(db, "listings", (markdown) => renderHtml(db, renderPool, markdown));
}
