import type { Db } from "../db/connect.ts";
import type { Author } from "../actor.ts";
import * as articles from "../articles/articles.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalid } from "../errors.ts";
import type { Input } from "../fields/fields.ts";
import type { FeedItem } from "../feed-parser/feed.ts";
import { type Claim, stillMine } from "../fetches/claim.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import type { Renderer } from "../text/render-pool.ts";
import * as users from "../users/users.ts";
import { pageOf } from "./addresses.ts";
import { type Admitted, admit } from "./import-permission.ts";
import type { Converter } from "./converter.ts";
import { draftOf, shortened } from "./draft.ts";
import type { Marked } from "./marks.ts";
import * as queries from "./queries.ts";

interface Taking {
  db: Db;
  claim: Claim;
  admitted: Admitted;
  converter: Converter;
  renderer: Renderer;
  now: Date;
  /** What relative addresses belong to, where the item has no address itself. */
  base: string;
  /** The pages that the person has articles of already. */
  written: ReadonlySet<string>;
}

/**
 * Makes an article of an item and notes that it has been seen, both or neither. One that can't be an article is
 * noted with the reason. Returns false for one that this computer was too busy for.
 * @throws FetchProblem when its person may not write any more, or somebody else fetches the feed by now
 */
export async function take(marked: Marked, taking: Taking): Promise<boolean> {
  const { item } = marked;
  const { db, claim, admitted, now } = taking;
  const seen = seenOf(marked, admitted.source.id);
  /** Acts for the user of the feed; limits of how often people write hold for people only. */
  const actor: Author = {
    by: "job",
    user: admitted.user,
    now: () => now,
    settings: () => Promise.resolve(admitted.community),
    isLimited: false,
    db,
    renderer: taking.renderer,
    run: (write) =>
      inTransaction(db, async (tx) => {
        await begin(tx, taking);
        return write(tx);
      }),
  };
  try {
    const given = await convertItem(item, taking);
    const crosspost = { publishedAt: item.publishedAt };
    const after = (tx: Db, article_id: number) =>
      queries.insertItem(tx, { ...seen, article_id, seen_at: now });
    await articles.create(actor, { given, crosspost, after });
  } catch (error) {
    // Whether it is to blame isn't known: it must not keep the others waiting for good.
    if (error instanceof AppError && error.code === "unavailable") return false;
    const reason = refusalIn(error);
    if (reason === undefined) throw error;
    await inTransaction(db, async (tx) => {
      if (!(await holdSource(tx, claim))) throw lost();
      await queries.insertItem(tx, { ...seen, skipped: reason, seen_at: taking.now });
    });
  }
  return true;
}

function seenOf({ item, marks }: Marked, feedId: number) {
  return { feed_id: feedId, marks, title: shortened(item.title ?? "") };
}

const SHARED = "Another item of the feed has its guid, its address or its title";

/** Notes items that can't come, because others of their feed go by the same name. */
export async function leaveOut(
  leftOut: readonly Marked[],
  { db, claim, now }: { db: Db; claim: Claim; now: Date },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await holdSource(tx, claim))) throw lost();
    for (const marked of leftOut) {
      await queries.insertItem(tx, { ...seenOf(marked, claim.id), skipped: SHARED, seen_at: now });
    }
  });
}

async function convertItem(
  item: FeedItem,
  { converter, admitted: { source }, base, written }: Taking,
): Promise<Input> {
  const page = item.url === undefined ? undefined : pageOf(item.url);
  if (page !== undefined && written.has(page)) {
    throw invalid(`${source.username} has an article with this canonical url already`);
  }
  const converted = await converter.convert({
    html: item.html ?? item.summary ?? "",
    title: item.title ?? "",
    base: item.url ?? base,
  });
  return draftOf(item, converted, source);
}

/** Holds who writes, the feed and its fetch, and asks once more whether this may be. */
async function begin(tx: Db, { claim, admitted }: Taking): Promise<void> {
  await users.hold(tx, [admitted.user.id]);
  if (!(await holdSource(tx, claim))) throw lost();
  await admit(tx, claim.id);
}

/** Holds the feed and then its fetch, as its removal does; false when either isn't this process's any more. */
export async function holdSource(tx: Db, claim: Claim): Promise<boolean> {
  return (await queries.hold(tx, claim.id)) && stillMine(tx, claim);
}

function lost(): FetchProblem {
  return new FetchProblem("It took too long, so that another process has taken over.");
}

const MAX_REASON = 500;

/** Why an item can't be an article, if that is what went wrong. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof AppError) || !["invalid", "too_large"].includes(error.code)) return undefined;
  return Array.from(error.message).slice(0, MAX_REASON).join("");
}
