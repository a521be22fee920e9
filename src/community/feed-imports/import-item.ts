import type { Author, User } from "../../http/actor.ts";
import * as articles from "../articles/articles.ts";
import type { Services } from "../../context.ts";
import type { Db } from "../../platform/db/connect.ts";
import { faultIn } from "../../platform/db/failures.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { FeedItem } from "../../content/feeds/feed.ts";
import { type Claim, stillMine } from "../../platform/fetches/fetches.ts";
import { FetchProblem } from "../../platform/fetches/fetch-problem.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import type { Renderer } from "../../content/text/render-pool.ts";
import { tagsOfNames } from "../../platform/text/tags.ts";
import { quote } from "../../platform/text/quote.ts";
import * as users from "../users/users.ts";
import { addressOf, titleOf } from "./attributes.ts";
import type { Converter } from "./converter.ts";
import { type Fingerprinted, pageAddress, withoutTracking } from "./fingerprints.ts";
import * as queries from "./queries.ts";
import type { Converted } from "./to-markdown.ts";

export interface ImportServices {
  db: Db;
  outside: Pick<Services, "net" | "feedReader">;
  renderer: Renderer;
  converter: Converter;
  now: () => Date;
}

interface Admitted {
  source: queries.SourceRow;
  user: User;
  community: Settings;
}

export interface Importing extends ImportServices {
  claim: Claim;
  admitted: Admitted;
  /** The base of relative addresses where the item has no address itself. */
  base: string;
  /** The pages that the person has articles of already. */
  written: ReadonlySet<string>;
}

/**
 * Reads a feed whose user may write articles.
 * @throws FetchProblem that says why nothing is imported
 */
export async function admit(db: Db, feedId: number): Promise<Admitted> {
  const source = await queries.find(db, feedId);
  if (!source) throw new FetchProblem("The feed has been removed.");
  if (source.suspended) throw new FetchProblem(`${source.username} is suspended, so nothing is imported.`);
  const community = await settings.read(db);
  const user = { id: source.user_id, role: source.role as User["role"] };
  if (articles.mayPost(user, community)) return { source, user, community };
  throw new FetchProblem(
    `Only admins write here (the setting posting is admins), and ${source.username} is none, so nothing is imported.`,
  );
}

/**
 * Makes an article of an item and records the item, both or neither. An item that can't be an article is recorded as
 * skipped, with the reason. False when this computer was too busy.
 * @throws FetchProblem when the person may not write any more, or another process fetches the feed by now
 */
export async function importItem(marked: Fingerprinted, importing: Importing): Promise<boolean> {
  const { item } = marked;
  const { db, claim, admitted, now, renderer } = importing;
  /** Acts for the user of the feed; limits of how often people write hold for people only. */
  const actor: Author<articles.Saved> = {
    by: "job",
    user: admitted.user,
    now,
    settings: () => Promise.resolve(admitted.community),
    isLimited: false,
    db,
    renderer,
    run: (write) =>
      inTransaction(db, async (tx) => {
        await users.lock(tx, [admitted.user.id]);
        await lockSource(tx, claim);
        await admit(tx, claim.id);
        return write(tx);
      }),
  };
  try {
    const given = await convertItem(item, importing);
    const { unreadableDate: date } = item;
    const isDatedBadly = admitted.source.publish && date !== undefined;
    const remark = isDatedBadly ? `Its date ${quote(date)} can't be read, so it became a draft` : null;
    const crosspost = { publishedAt: item.publishedAt };
    const also = (tx: Db, article_id: number) =>
      queries.insertItem(tx, { ...seenOf(marked, claim.id), article_id, remark, seen_at: now() });
    await articles.create(actor, { given, crosspost, also });
  } catch (error) {
    // The item may not be to blame; the others go on.
    if (error instanceof AppError && error.code === "unavailable") return false;
    const reason = faultIn(error);
    if (reason === undefined) throw error;
    await skip([marked], importing, reason);
  }
  return true;
}

function seenOf({ item, marks }: Fingerprinted, feedId: number) {
  return { feed_id: feedId, marks, title: titleOf(item.title ?? "") };
}

const MAX_REASON = 500;
export const SHARED = "Another item of the feed has its guid, its address or its title";

export async function skip(
  items: readonly Fingerprinted[],
  { db, claim, now }: Pick<Importing, "db" | "claim" | "now">,
  reason: string,
): Promise<void> {
  const skipped = Array.from(reason).slice(0, MAX_REASON).join("");
  await inTransaction(db, async (tx) => {
    await lockSource(tx, claim);
    for (const marked of items) {
      await queries.insertItem(tx, { ...seenOf(marked, claim.id), skipped, seen_at: now() });
    }
  });
}

async function convertItem(
  item: FeedItem,
  { converter, admitted: { source }, base, written }: Importing,
): Promise<Input> {
  const page = item.url === undefined ? undefined : pageAddress(item.url);
  if (page !== undefined && written.has(page)) {
    throw invalid(`${source.username} has an article with this canonical url already`);
  }
  const converted = await converter.convert({
    html: item.html ?? item.summary ?? "",
    base: item.url ?? base,
  });
  return draftOf(item, converted, source);
}

/**
 * Locks the feed and then its fetch, as its removal does.
 * @throws FetchProblem when either is gone or another process's
 */
export async function lockSource(tx: Db, claim: Claim): Promise<void> {
  if ((await queries.hold(tx, claim.id)) && (await stillMine(tx, claim))) return;
  throw new FetchProblem("It took too long, so that another process has taken over.");
}

function draftOf(
  item: FeedItem,
  { markdown, text }: Converted,
  { publish }: { publish: boolean },
): Record<string, unknown> {
  return {
    title: titleOf(item.title ?? "") || titleOf(text),
    body_markdown: markdown,
    published: publish && item.unreadableDate === undefined,
    tags: tagsOfNames(item.categories).tags,
    canonical_url: addressOf("canonical_url", item.url && withoutTracking(item.url)),
    main_image: addressOf("main_image", item.imageUrl),
  };
}
