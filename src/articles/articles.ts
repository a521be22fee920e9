import { type Actor, type Author, type User, userOf } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { together } from "../db/pipeline.ts";
import { deferRefusal, notFound, unauthorized, unavailable } from "../errors.ts";
import * as events from "../events/events.ts";
import type { Input } from "../fields/fields.ts";
import * as organizations from "../organizations/organizations.ts";
import { differs } from "../records/columns.ts";
import type { Settings } from "../settings/schema.ts";
import * as users from "../users/users.ts";
import { contentOf, prepare } from "./content.ts";
import {
  type Crosspost,
  crossposted,
  crosspostedBy,
  getsFinalSlug,
  isClaimed,
  isNews,
  isTemporary,
  slugsFor,
  type State,
  unpublish as unpublished,
} from "./publication-status.ts";
import * as queries from "./queries.ts";
import * as readModel from "./read-model.ts";
import * as retiredPaths from "./retired-paths.ts";
import * as series from "./series.ts";
import * as writing from "./writing.ts";

export interface Saved {
  row: queries.FullRow;
  warnings: string[];
}

interface Creation {
  given: Input;
  crosspost?: Crosspost;
  /** In the same transaction. */
  also?: (tx: Db, id: number) => Promise<void>;
}

/** @throws AppError unauthorized, rate_limited, invalid, unavailable */
export async function create(actor: Author, { given, crosspost, also }: Creation): Promise<Saved> {
  const community = await actor.settings();
  requirePoster(actor, community);
  const prepared = await deferRefusal(() => prepare(actor, given, { community, isPublished: false }));
  return actor.run(async (tx) => {
    requirePoster(actor, community);
    const [writer, now] = [userOf(actor), actor.now()];
    // An author's articles are counted in turn.
    const locking = lockAuthor(tx, writer.id);
    const [, , content] = await together(
      locking,
      actor.isLimited && writing.checkCreation(tx, locking, { community, now }),
      contentOf(tx, prepared, { writer, author: locking, now, community }),
    );
    const columns = crosspost ? crossposted(content.columns, crosspost, now) : content.columns;
    const article = { ...columns, author_id: writer.id, created_at: now };
    const [, id] = await together(
      // Some titles of other sites recur every week.
      !crosspost && writing.refuseRepeatedTitle(tx, writer.id, { title: columns.title, now }),
      writing.claimingCanonicalUrl(community.contact_email, () =>
        writing.insertWithSlug(tx, article, slugsFor(columns.state, columns.title)),
      ),
    );
    const published = columns.state === "published";
    const isOld = crosspost !== undefined && !isNews(crosspost, now);
    const happened: events.Event[] = [["article_created", { article_id: id, published }]];
    if (published) happened.push(["article_published", { article_id: id, ...(isOld && { again: true }) }]);
    const [, row] = await together(
      also?.(tx, id),
      finish(tx, id, { happened, isListed: published, now, terms: content.terms }),
    );
    return { row, warnings: content.warnings };
  });
}

async function lockAuthor(tx: Db, id: number): Promise<users.Locked> {
  const author = (await users.lock(tx, [id])).get(id);
  if (!author) throw unauthorized();
  return author;
}

interface Finish {
  happened: events.Event[];
  /** Published before the change or after it. */
  isListed: boolean;
  now: Date;
  /** Of a body that was just rendered. */
  terms?: Content["terms"];
}

/** Returns the article as it is shown. Last in its transaction. */
async function finish(tx: Db, id: number, { happened, isListed, now, terms }: Finish) {
  const recording = events.recordAll(tx, happened);
  if (!isListed) return (await together(recording, shown(tx, id)))[1];
  const [, listed] = await together(recording, readModel.writeLists(tx, [id], now));
  // Shown with the tags that it is the first to have.
  const [row] = await together(
    shown(tx, id),
    readModel.writeSearchAndCounts(tx, listed, terms && { terms: new Map([[id, terms]]) }),
  );
  return row;
}

async function shown(tx: Db, id: number): Promise<queries.FullRow> {
  const row = await queries.findById(tx, id);
  if (!row) throw notFound();
  return row;
}

interface Target {
  id: number;
  /** Refuses a row that has changed since the caller read it. */
  ifMatch?: ((row: queries.FullRow) => void) | undefined;
}

/** @throws AppError not_found, precondition_failed, rate_limited, invalid, unauthorized, unavailable */
export async function update(
  actor: Author,
  { id, given, ifMatch }: Target & { given: Input },
): Promise<Saved> {
  const found = await queries.authorOf(actor.db, id);
  // Saves rendering; the transaction decides again.
  if (!found || !mayEdit(userOf(actor), found)) throw notFound();
  const community = await actor.settings();
  const isPublished = found.state === "published";
  const prepared = await deferRefusal(() => prepare(actor, given, { community, isPublished }));
  return actor.run(async (tx) => {
    const [writer, now] = [userOf(actor), actor.now()];
    // Users are locked before articles, as everywhere.
    const [locked, existing] = await together(
      users.lock(tx, [writer.id, found.author_id]),
      writing.lock(tx, id),
    );
    const author = existing && locked.get(existing.author_id);
    // An import has changed the author meanwhile.
    if (existing && !author) throw unavailable();
    if (!author || !mayEdit(writer, existing)) throw notFound();
    ifMatch?.(await shown(tx, id));
    const [, content] = await together(
      actor.isLimited && writing.spendUpdate(tx, writer.id, { community, now }),
      contentOf(tx, prepared, { writer, author, now, community, existing }),
    );
    const { columns, warnings } = content;
    if (isClaimed(columns.state) && !isClaimed(existing.state)) requirePoster(actor, community);
    const row = differs(existing, columns)
      ? await store(tx, { existing, content, writer, now, community })
      : await shown(tx, id);
    return { row, warnings };
  });
}

function requirePoster(actor: Actor, community: Settings): void {
  if (!mayPost(userOf(actor), community)) throw unauthorized();
}

export function mayPost({ role }: Pick<User, "role">, { posting }: Pick<Settings, "posting">): boolean {
  return posting === "everyone" || role === "admin";
}

/** The author and admins of the site. */
export function mayEdit({ id, role }: User, { author_id }: { author_id: number }): boolean {
  return author_id === id || role === "admin";
}

type Content = Awaited<ReturnType<typeof contentOf>>;

interface Change {
  existing: writing.ArticleRow;
  content: Content;
  writer: User;
  now: Date;
  community: Settings;
}

async function store(tx: Db, { existing, content, writer, now, community }: Change) {
  const { id } = existing;
  const { columns } = content;
  const isEdit = existing.state === "published" && writer.id === existing.author_id;
  const change = { ...columns, ...crosspostedBy(existing, columns), ...(isEdit && { edited_at: now }) };
  const isMoved = existing.organization_id !== columns.organization_id && !isTemporary(existing.slug);
  const before = isMoved ? await retiredPaths.pathsOf(tx, [id]) : undefined;
  await writing.claimingCanonicalUrl(community.contact_email, () =>
    getsFinalSlug(existing, columns.state)
      ? writing.updateWithSlug(tx, { id, change }, slugsFor(columns.state, columns.title))
      : writing.update(tx, id, change),
  );
  if (before) await retiredPaths.retire(tx, { before, ids: [id] });
  if (existing.collection_id !== null && existing.collection_id !== columns.collection_id) {
    await series.removeEmpty(tx, [existing.collection_id]);
  }
  return finishChange(tx, existing, { to: columns.state, now, terms: content.terms });
}

function finishChange(
  tx: Db,
  { id, state: from }: writing.ArticleRow,
  { to, ...options }: { to: State } & Pick<Finish, "now" | "terms">,
): Promise<queries.FullRow> {
  const [wasPublished, isPublished] = [from === "published", to === "published"];
  const isListed = wasPublished || isPublished;
  const happened: events.Event[] = [["article_updated", { article_id: id, published: isListed }]];
  if (isPublished && !wasPublished) {
    const again = from === "unpublished";
    happened.push(["article_published", { article_id: id, ...(again && { again }) }]);
  }
  if (wasPublished && !isPublished) happened.push(["article_unpublished", { article_id: id }]);
  return finish(tx, id, { happened, isListed, ...options });
}

/**
 * A scheduled article becomes a draft.
 * @throws AppError not_found, unauthorized for a reader, precondition_failed
 */
export function unpublish(actor: Actor, { id, ifMatch }: Target): Promise<void> {
  return actor.run(async (tx) => {
    const existing = await writing.lock(tx, id);
    if (!existing) throw notFound();
    await requireUnpublisher(tx, userOf(actor), existing);
    ifMatch?.(await shown(tx, id));
    const after = unpublished(existing, actor.now());
    if (after.state === existing.state) return;
    await writing.update(tx, id, { ...after });
    await finishChange(tx, existing, { to: after.state, now: actor.now() });
  });
}

async function requireUnpublisher(tx: Db, user: User, article: writing.ArticleRow): Promise<void> {
  if (mayEdit(user, article)) return;
  // Moderators don't see articles that were never public.
  if (user.role === "moderator" && ["published", "unpublished"].includes(article.state)) return;
  const isSeen = article.state === "published" || (await isReadableBy(tx, article, user));
  throw isSeen ? unauthorized() : notFound();
}

/** The author, admins of its organization, and admins of the site. */
export async function isReadableBy(
  db: Db,
  article: Pick<queries.FullRow, "author_id" | "organization_id">,
  user: User,
): Promise<boolean> {
  if (mayEdit(user, article)) return true;
  const { organization_id: organizationId } = article;
  return organizationId !== null && organizations.isAdmin(db, { userId: user.id, organizationId });
}
