import type { Db } from "../db/connect.ts";
import type { Author } from "../actor.ts";
import * as articles from "../articles/articles.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalid } from "../errors.ts";
import type { Input } from "../fields/fields.ts";
import type { FeedItem } from "../feed-parser/feed.ts";
import { type Claim, stillMine } from "../fetches/fetches.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import type { Renderer } from "../text/render-pool.ts";
import * as users from "../users/users.ts";
import { pageOf } from "./addresses.ts";
import { type Admitted, admit } from "./import-permission.ts";
import type { Converter } from "./converter.ts";
import { draftOf, shortened } from "./draft.ts";
import type { Fingerprinted } from "./fingerprints.ts";
import * as queries from "./queries.ts";

interface Importing {
  db: Db;
  claim: Claim;
  admitted: Admitted;
  converter: Converter;
  renderer: Renderer;
  now: Date;
  /** The base of relative addresses where the item has no address itself. */
  base: string;
  /** The pages that the person has articles of already. */
  written: ReadonlySet<string>;
}

/**
 * Makes an article of an item and records the item, both or neither. An item that can't be an article is recorded as
 * skipped, with the reason. False when this computer was too busy.
 * @throws FetchProblem when the person may not write any more, or another process fetches the feed by now
 */
export async function importItem(marked: Fingerprinted, importing: Importing): Promise<boolean> {
  const { item } = marked;
  const { db, claim, admitted, now } = importing;
  const seen = seenOf(marked, admitted.source.id);
  /** Acts for the user of the feed; limits of how often people write hold for people only. */
  const actor: Author = {
    by: "job",
    user: admitted.user,
    now: () => now,
    settings: () => Promise.resolve(admitted.community),
    isLimited: false,
    db,
    renderer: importing.renderer,
    run: (write) =>
      inTransaction(db, async (tx) => {
        await begin(tx, importing);
        return write(tx);
      }),
  };
  try {
    const given = await convertItem(item, importing);
    const crosspost = { publishedAt: item.publishedAt };
    const after = (tx: Db, article_id: number) =>
      queries.insertItem(tx, { ...seen, article_id, seen_at: now });
    await articles.create(actor, { given, crosspost, after });
  } catch (error) {
    // The item may not be to blame; the others go on.
    if (error instanceof AppError && error.code === "unavailable") return false;
    const reason = refusalIn(error);
    if (reason === undefined) throw error;
    await inTransaction(db, async (tx) => {
      if (!(await holdSource(tx, claim))) throw lost();
      await queries.insertItem(tx, { ...seen, skipped: reason, seen_at: now });
    });
  }
  return true;
}

function seenOf({ item, marks }: Fingerprinted, feedId: number) {
  return { feed_id: feedId, marks, title: shortened(item.title ?? "") };
}

const SHARED = "Another item of the feed has its guid, its address or its title";

/** Records items as skipped that share a guid, address or title with another item of their feed. */
export async function skip(
  duplicates: readonly Fingerprinted[],
  { db, claim, now }: { db: Db; claim: Claim; now: Date },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await holdSource(tx, claim))) throw lost();
    for (const marked of duplicates) {
      await queries.insertItem(tx, { ...seenOf(marked, claim.id), skipped: SHARED, seen_at: now });
    }
  });
}

async function convertItem(
  item: FeedItem,
  { converter, admitted: { source }, base, written }: Importing,
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

/** Locks the person, the feed and its fetch, and checks the permission again. */
async function begin(tx: Db, { claim, admitted }: Importing): Promise<void> {
  await users.lock(tx, [admitted.user.id]);
  if (!(await holdSource(tx, claim))) throw lost();
  await admit(tx, claim.id);
}

/** Locks the feed and then its fetch, as its removal does; false when either is gone or another process's. */
export async function holdSource(tx: Db, claim: Claim): Promise<boolean> {
  return (await queries.hold(tx, claim.id)) && stillMine(tx, claim);
}

function lost(): FetchProblem {
  return new FetchProblem("It took too long, so that another process has taken over.");
}

const MAX_REASON = 500;

/** Why an item can't be an article, if that is the error. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof AppError) || !["invalid", "too_large"].includes(error.code)) return undefined;
  return Array.from(error.message).slice(0, MAX_REASON).join("");
}
