import type { Db } from "../db/connect.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import { differs } from "../records/columns.ts";
import { joinSentences } from "../text/sentences.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import * as users from "../users/users.ts";
import { claimingCanonicalUrl } from "./canonical-urls.ts";
import { columnsOf } from "./content.ts";
import { type Crosspost, crossposted, crosspostedBy, isNews } from "./crossposting.ts";
import { afterChange, afterCreation } from "./effects.ts";
import type { Prepared } from "./prepared.ts";
import { NO_BODY } from "./requests.ts";
import * as series from "./series.ts";
import * as readQueries from "./queries.ts";
import * as retiredPaths from "./retired-paths.ts";
import { getsFinalSlug, isClaimed, isTemporary, slugsFor } from "./state.ts";
import { combine, type Wanted } from "./wanted.ts";
import { checkCreation, spendUpdate, type WritingLimits } from "./writing-limits.ts";
import * as queries from "./writing-queries.ts";

/** Whoever writes. */
export interface Writer {
  id: number;
  role: string;
}

/** What writing depends on beside the request. */
export interface Rules {
  now: Date;
  /** Undefined when there are none. */
  limits: WritingLimits | undefined;
  /** Where people turn to; empty when nowhere. */
  contactEmail: string;
  /** Who may make public what isn't. */
  posting: "everyone" | "admins";
}

export interface Saved {
  id: number;
  /** Sentences about what was ignored or may not work as intended. */
  warnings: string[];
}

interface Request {
  writer: Writer;
  prepared: () => Prepared;
  rules: Rules;
}

interface Creation extends Request {
  /** Set for what was published elsewhere before. */
  crosspost?: Crosspost;
}

/** @throws AppError rate_limited, invalid */
export async function create(tx: Db, { writer, prepared, rules, crosspost }: Creation): Promise<Saved> {
  const { now, limits } = rules;
  // What one person writes is counted one after another.
  const author = (await users.hold(tx, [writer.id])).get(writer.id);
  if (!author) throw unauthorized();
  if (limits) await checkCreation(tx, author, { limits, now });
  const { attributes, body } = prepared();
  const warnings: string[] = [];
  const warn = (sentence: string) => void warnings.push(sentence);
  const wanted = combine({ attributes, frontMatter: body?.frontMatter ?? {}, isBodySent: true, warn });
  const title = checkComplete(wanted, body);
  const asked = await columnsOf(tx, { writer, authorName: author.name, wanted, body, rules, warn });
  const columns = crosspost ? crossposted(asked, crosspost, now) : asked;
  // Elsewhere some titles come again every week.
  if (!crosspost) await refuseRepeatedTitle(tx, { authorId: author.id, title, now });
  const id = await claimingCanonicalUrl(rules.contactEmail, () =>
    queries.insert(
      tx,
      { ...columns, author_id: author.id, created_at: now },
      slugsFor(columns.state, columns.title),
    ),
  );
  await afterCreation(tx, { id, state: columns.state, now, isOld: crosspost && !isNews(crosspost, now) });
  return { id, warnings };
}

function checkComplete({ title }: Wanted, body: Prepared["body"]): string {
  const faults = [
    ...(title === undefined ? ["Title can't be blank"] : []),
    ...(body === undefined ? [NO_BODY] : []),
  ];
  if (title === undefined || body === undefined) throw invalid(joinSentences(faults));
  return title;
}

const SAME_TITLE_MS = 5 * 60_000;

/** A script that runs twice, or a button that is pressed twice, is not two articles. */
async function refuseRepeatedTitle(
  tx: Db,
  { authorId, title, now }: { authorId: number; title: string; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - SAME_TITLE_MS);
  if (await queries.hasTitleSince(tx, authorId, title, since)) {
    throw invalid("Title has already been used in the last five minutes");
  }
}

interface Change extends Request {
  id: number;
  /** Refuses what has changed since the writer read it. */
  checkVersion?: () => Promise<void>;
}

/** @throws AppError not_found, precondition_failed, rate_limited, invalid, unauthorized */
export async function update(tx: Db, { id, writer, prepared, rules, checkVersion }: Change): Promise<Saved> {
  const { now, limits } = rules;
  // People before articles, as everywhere. Who moves two articles between two series at once would wait for
  // themselves: one after the other.
  const author_id = (await readQueries.authorOf(tx, id))?.author_id ?? writer.id;
  const held = await users.hold(tx, [writer.id, author_id]);
  const existing = await queries.lock(tx, id);
  const author = existing && held.get(existing.author_id);
  if (!author || !mayEdit(writer, existing)) throw notFound();
  await checkVersion?.();
  if (limits) await spendUpdate(tx, writer.id, { limits, now });
  const { attributes, body } = prepared();
  const warnings: string[] = [];
  const warn = (sentence: string) => void warnings.push(sentence);
  const frontMatter = body?.frontMatter ?? parseFrontMatter(existing.body_markdown).attributes;
  const wanted = combine({ attributes, frontMatter, isBodySent: body !== undefined, warn });
  const columns = await columnsOf(tx, {
    writer,
    authorName: author.name,
    wanted,
    body,
    rules,
    warn,
    existing,
  });
  const isReleased = isClaimed(columns.state) && !isClaimed(existing.state);
  if (isReleased && !mayPost(writer, rules)) throw unauthorized();
  if (differs(existing, columns)) await store(tx, { existing, columns, writer, rules });
  return { id, warnings };
}

/** Whether somebody may write articles that others read. */
export function mayPost(writer: Writer, { posting }: Pick<Rules, "posting">): boolean {
  return posting === "everyone" || writer.role === "admin";
}

/** Whether somebody may change or delete an article: its author, or an admin of the site. */
export function mayEdit(writer: Writer, { author_id }: { author_id: number }): boolean {
  return author_id === writer.id || writer.role === "admin";
}

interface Stored {
  existing: queries.ArticleRow;
  columns: Awaited<ReturnType<typeof columnsOf>>;
  writer: Writer;
  rules: Rules;
}

async function store(tx: Db, { existing, columns, writer, rules }: Stored): Promise<void> {
  const { id } = existing;
  const { now } = rules;
  const isEdit = existing.state === "published" && writer.id === existing.author_id;
  const change = { ...columns, ...crosspostedBy(existing, columns), ...(isEdit && { edited_at: now }) };
  const isMoved = existing.organization_id !== columns.organization_id && !isTemporary(existing.slug);
  const before = isMoved ? await retiredPaths.pathsOf(tx, [id]) : undefined;
  await claimingCanonicalUrl(rules.contactEmail, () =>
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
