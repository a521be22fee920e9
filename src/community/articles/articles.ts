import { type Actor, type Author, type User, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { together } from "../../platform/db/pipeline.ts";
import { differs } from "../../platform/db/rows.ts";
import { deferRefusal, invalid, notFound, unauthorized, unavailable } from "../../platform/errors.ts";
import type { Input } from "../../platform/fields/fields.ts";
import * as organizations from "../organizations/organizations.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as log from "../log/log.ts";
import { requireOver } from "../users/moderation.ts";
import * as users from "../users/users.ts";
import { contentOf, prepare } from "./content.ts";
import {
  type Crosspost,
  crossposted,
  crosspostedBy,
  isClaimed,
  isHeld,
  isNews,
  unpublish as unpublished,
} from "./publication-status.ts";
import * as queries from "./queries.ts";
import { shown, transition } from "./transition.ts";
import * as writing from "./writing.ts";

export interface Saved {
  row: queries.FullRow;
  warnings: string[];
}

interface Creation {
  given: Input;
  crosspost?: Crosspost;
  /** Runs in the same transaction. It must be short: the counts of tags are locked by then. */
  also?: (tx: Db, id: number) => Promise<void>;
}

export async function create(actor: Author<Saved>, { given, crosspost, also }: Creation): Promise<Saved> {
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
    const [, row] = await together(
      // Some titles of other sites recur every week.
      !crosspost && writing.refuseRepeatedTitle(tx, writer.id, { title: columns.title, now }),
      transition(tx, {
        change: { ...columns, author_id: writer.id, created_at: now },
        now,
        contactEmail: community.contact_email,
        terms: content.terms,
        isOld: crosspost !== undefined && !isNews(crosspost, now),
      }),
    );
    await also?.(tx, row.id);
    return { row, warnings: content.warnings };
  });
}

async function lockAuthor(tx: Db, id: number): Promise<users.Locked> {
  const author = (await users.lock(tx, [id])).get(id);
  if (!author) throw unauthorized();
  return author;
}

interface Target {
  id: number;
  /** Refuses a row that has changed since the caller read it. */
  ifMatch?: ((row: queries.FullRow) => void) | undefined;
}

export async function update(
  actor: Author<Saved>,
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
    const { columns, terms, warnings } = content;
    if (isClaimed(columns.state) && !isClaimed(existing.state)) requirePoster(actor, community);
    if (!differs(existing, columns)) return { row: await shown(tx, id), warnings };
    const isEdit = existing.state === "published" && writer.id === existing.author_id;
    const change = { ...columns, ...crosspostedBy(existing, columns), ...(isEdit && { edited_at: now }) };
    const contactEmail = community.contact_email;
    const act = isClaimed(columns.state) ? "restore_article" : "unpublish_article";
    const isAct = isClaimed(columns.state) ? isHeld(existing) : isClaimed(existing.state);
    if (isAct && writer.id !== existing.author_id)
      await log.record(tx, actor, { act, on: { kind: "article", id } });
    const row = await transition(tx, { before: existing, change, now, contactEmail, terms });
    return { row, warnings };
  });
}

function requirePoster(actor: Actor, community: Settings): void {
  if (!mayPost(userOf(actor), community)) throw unauthorized();
}

export function mayPost({ role }: Pick<User, "role">, { posting }: Pick<Settings, "posting">): boolean {
  return posting === "everyone" || role === "admin";
}

export function mayEdit({ id, role }: User, { author_id }: { author_id: number }): boolean {
  return author_id === id || role === "admin";
}

/**
 * A scheduled article becomes a draft. One that somebody else unpublishes is only published again by an admin or the
 * operator. An act of moderation is `isStaff`: not for authors. Returns whether that was a change.
 * @throws AppError not_found, unauthorized for a reader, precondition_failed
 */
export function unpublish(
  actor: Actor<boolean>,
  { id, reason = "", ifMatch, isStaff = false }: Target & { reason?: string | undefined; isStaff?: boolean },
): Promise<boolean> {
  return actor.run(async (tx) => {
    const existing = await writing.lock(tx, id);
    if (!existing) throw missing(actor, id);
    if (actor.user) await requireUnpublisher(tx, actor.user, existing);
    if (isStaff && existing.state === "draft")
      throw invalid("The article is a draft: only its author and admins can read it");
    ifMatch?.(await shown(tx, id));
    const isOwn = !isStaff && actor.user?.id === existing.author_id;
    if (!isOwn) await requireOver(tx, actor, existing.author_id);
    const change = unpublished(existing, isOwn ? null : reason.trim(), actor.now());
    if (!differs(existing, change)) return false;
    if (!isOwn)
      await log.record(tx, actor, { act: "unpublish_article", on: { kind: "article", id }, reason });
    await transition(tx, { before: existing, change: { ...change }, now: actor.now() });
    return true;
  });
}

/** The operator names an article by its id. */
export const missing = ({ user }: Actor, id: number) =>
  user ? notFound() : invalid(`There is no article with the id ${id}.`);

export async function requireUnpublisher(tx: Db, user: User, article: writing.ArticleRow): Promise<void> {
  if (mayEdit(user, article)) return;
  // Moderators don't see articles that were never public.
  if (user.role === "moderator" && ["published", "unpublished"].includes(article.state)) return;
  const isSeen = article.state === "published" || (await isReadableBy(tx, article, user));
  throw isSeen ? unauthorized() : notFound();
}

export async function isReadableBy(
  db: Db,
  article: Pick<queries.FullRow, "author_id" | "organization_id">,
  user: User,
): Promise<boolean> {
  if (mayEdit(user, article)) return true;
  const { organization_id: organizationId } = article;
  return organizationId !== null && organizations.isAdmin(db, { userId: user.id, organizationId });
}
