import { type Actor, type Author, type User, userOf } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { deferRefusal, invalid, notFound, unauthorized } from "../errors.ts";
import { checked, type Input } from "../fields/fields.ts";
import * as organizations from "../organizations/organizations.ts";
import { differs } from "../records/columns.ts";
import type { Settings } from "../settings/schema.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { joinSentences } from "../text/sentences.ts";
import * as users from "../users/users.ts";
import { afterChange, afterCreation } from "./after-save.ts";
import { claimingCanonicalUrl } from "./canonical-urls.ts";
import { type Body, columnsOf } from "./content.ts";
import { type ArticleValues, FIELDS, NO_BODY } from "./fields.ts";
import { mergeFrontMatter, type Wanted } from "./merge-front-matter.ts";
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
import * as readQueries from "./queries.ts";
import { findReferences, renderBody } from "./rendering.ts";
import * as retiredPaths from "./retired-paths.ts";
import * as series from "./series.ts";
import { checkCreation, spendUpdate } from "./writing-limits.ts";
import * as queries from "./writing-queries.ts";

export interface Saved {
  row: readQueries.FullRow;
  warnings: string[];
}

interface Prepared {
  values: ArticleValues;
  body: Body | undefined;
}

/** Before the transaction. @throws AppError */
async function prepare({ db, renderer }: Author, given: Input): Promise<Prepared> {
  const values = checked(FIELDS, given);
  const { body_markdown: markdown } = values;
  if (markdown === undefined) return { values, body: undefined };
  const { attributes: frontMatter, body } = parseFrontMatter(markdown);
  const rendered = await renderBody(
    renderer,
    { markdown, body },
    await findReferences(db, [markdown], renderer),
  );
  return { values, body: { ...rendered, markdown, frontMatter } };
}

interface Creation {
  given: Input;
  crosspost?: Crosspost;
  /** In the same transaction. */
  after?: (tx: Db, id: number) => Promise<void>;
}

/** @throws AppError unauthorized, rate_limited, invalid, unavailable */
export async function create(actor: Author, { given, crosspost, after }: Creation): Promise<Saved> {
  const community = await actor.settings();
  requirePoster(actor, community);
  const prepared = await deferRefusal(() => prepare(actor, given));
  return actor.run(async (tx) => {
    requirePoster(actor, community);
    const [writer, now] = [userOf(actor), actor.now()];
    // An author's articles are counted in turn.
    const author = (await users.lock(tx, [writer.id])).get(writer.id);
    if (!author) throw unauthorized();
    if (actor.isLimited) await checkCreation(tx, author, { limits: community, now });
    const { values, body } = prepared();
    const warnings: string[] = [];
    const warn = (sentence: string) => void warnings.push(sentence);
    const frontMatter = body?.frontMatter ?? {};
    const wanted = mergeFrontMatter({ values, frontMatter, isBodySent: true, warn });
    const title = checkComplete(wanted, body);
    const source = { writer, authorName: author.name, wanted, body, now, community, warn };
    const asked = await columnsOf(tx, source);
    const columns = crosspost ? crossposted(asked, crosspost, now) : asked;
    // Some titles of other sites recur every week.
    if (!crosspost) await refuseRepeatedTitle(tx, { authorId: author.id, title, now });
    const article = { ...columns, author_id: author.id, created_at: now };
    const id = await claimingCanonicalUrl(community.contact_email, () =>
      queries.insertWithSlug(tx, article, slugsFor(columns.state, columns.title)),
    );
    const isOld = crosspost && !isNews(crosspost, now);
    await afterCreation(tx, { id, state: columns.state, now, isOld });
    await after?.(tx, id);
    return { row: await shown(tx, id), warnings };
  });
}

async function shown(tx: Db, id: number): Promise<readQueries.FullRow> {
  const row = await readQueries.findById(tx, id);
  if (!row) throw notFound();
  return row;
}

function checkComplete({ title }: Wanted, body: Body | undefined): string {
  const faults = [
    ...(title === undefined ? ["Title can't be blank"] : []),
    ...(body === undefined ? [`Body markdown ${NO_BODY}`] : []),
  ];
  if (title === undefined || body === undefined) throw invalid(joinSentences(faults));
  return title;
}

const SAME_TITLE_MS = 5 * 60_000;

/** A repeated script or click creates one article. */
async function refuseRepeatedTitle(
  tx: Db,
  { authorId, title, now }: { authorId: number; title: string; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - SAME_TITLE_MS);
  if (await queries.hasTitleSince(tx, authorId, title, since)) {
    throw invalid("Title has already been used in the last five minutes");
  }
}

interface Target {
  id: number;
  /** Refuses a row that has changed since the caller read it. */
  ifMatch?: ((row: readQueries.FullRow) => void) | undefined;
}

/** @throws AppError not_found, precondition_failed, rate_limited, invalid, unauthorized, unavailable */
export async function update(
  actor: Author,
  { id, given, ifMatch }: Target & { given: Input },
): Promise<Saved> {
  const found = await readQueries.authorOf(actor.db, id);
  // Saves rendering; the transaction decides again.
  if (!found || !mayEdit(userOf(actor), found)) throw notFound();
  const community = await actor.settings();
  const prepared = await deferRefusal(() => prepare(actor, given));
  return actor.run(async (tx) => {
    const [writer, now] = [userOf(actor), actor.now()];
    // Users are locked before articles, as everywhere.
    const author_id = (await readQueries.authorOf(tx, id))?.author_id ?? writer.id;
    const locked = await users.lock(tx, [writer.id, author_id]);
    const existing = await queries.lock(tx, id);
    const author = existing && locked.get(existing.author_id);
    if (!author || !mayEdit(writer, existing)) throw notFound();
    ifMatch?.(await shown(tx, id));
    if (actor.isLimited) await spendUpdate(tx, writer.id, { limits: community, now });
    const { values, body } = prepared();
    const warnings: string[] = [];
    const warn = (sentence: string) => void warnings.push(sentence);
    const frontMatter = body?.frontMatter ?? parseFrontMatter(existing.body_markdown).attributes;
    const wanted = mergeFrontMatter({ values, frontMatter, isBodySent: body !== undefined, warn });
    const source = { writer, authorName: author.name, wanted, body, now, community, warn, existing };
    const columns = await columnsOf(tx, source);
    if (isClaimed(columns.state) && !isClaimed(existing.state)) requirePoster(actor, community);
    if (differs(existing, columns)) await store(tx, { existing, columns, writer, now, community });
    return { row: await shown(tx, id), warnings };
  });
}

/** @throws AppError unauthorized */
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

interface Change {
  existing: queries.ArticleRow;
  columns: Awaited<ReturnType<typeof columnsOf>>;
  writer: User;
  now: Date;
  community: Settings;
}

async function store(tx: Db, { existing, columns, writer, now, community }: Change): Promise<void> {
  const { id } = existing;
  const isEdit = existing.state === "published" && writer.id === existing.author_id;
  const change = { ...columns, ...crosspostedBy(existing, columns), ...(isEdit && { edited_at: now }) };
  const isMoved = existing.organization_id !== columns.organization_id && !isTemporary(existing.slug);
  const before = isMoved ? await retiredPaths.pathsOf(tx, [id]) : undefined;
  await claimingCanonicalUrl(community.contact_email, () =>
    getsFinalSlug(existing, columns.state)
      ? queries.updateWithSlug(tx, { id, change }, slugsFor(columns.state, columns.title))
      : queries.update(tx, id, change),
  );
  if (before) await retiredPaths.retire(tx, { before, ids: [id] });
  if (existing.collection_id !== null && existing.collection_id !== columns.collection_id) {
    await series.removeEmpty(tx, [existing.collection_id]);
  }
  await afterChange(tx, { id, from: existing.state, to: columns.state, now });
}

/**
 * A scheduled article becomes a draft.
 * @throws AppError not_found, unauthorized for a reader, precondition_failed
 */
export function unpublish(actor: Actor, { id, ifMatch }: Target): Promise<void> {
  return actor.run(async (tx) => {
    const existing = await queries.lock(tx, id);
    if (!existing) throw notFound();
    await requireUnpublisher(tx, userOf(actor), existing);
    ifMatch?.(await shown(tx, id));
    const { state, published_at } = existing;
    const after = unpublished({ state: state as State, published_at }, actor.now());
    if (after.state === state) return;
    await queries.update(tx, id, { ...after });
    await afterChange(tx, { id, from: state, to: after.state, now: actor.now() });
  });
}

async function requireUnpublisher(tx: Db, user: User, article: queries.ArticleRow): Promise<void> {
  if (mayEdit(user, article)) return;
  // Moderators don't see articles that were never public.
  if (user.role === "moderator" && ["published", "unpublished"].includes(article.state)) return;
  const isSeen = article.state === "published" || (await isReadableBy(tx, article, user));
  throw isSeen ? unauthorized() : notFound();
}

/** The author, admins of its organization, and admins of the site. */
export async function isReadableBy(
  db: Db,
  article: Pick<readQueries.FullRow, "author_id" | "organization_id">,
  user: User,
): Promise<boolean> {
  if (mayEdit(user, article)) return true;
  const { organization_id: organizationId } = article;
  return organizationId !== null && organizations.isAdmin(db, { userId: user.id, organizationId });
}
