import { STATUS_CODES } from "node:http";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Feed, FeedItem } from "../../content/feeds/feed.ts";
import { isUnchanged, requestFeed } from "../../content/feeds/request-feed.ts";
import type { Claim } from "../../platform/fetches/fetches.ts";
import { FetchProblem } from "../../platform/fetches/fetch-problem.ts";
import type { Fetched } from "../../platform/fetches/outcome.ts";
import type { Answer } from "../../platform/net/net.ts";
import {
  admit,
  type Importing,
  importItem,
  type ImportServices,
  lockSource,
  SHARED,
  skip,
} from "./import-item.ts";
import * as queries from "./queries.ts";
import type { Db } from "../../platform/db/connect.ts";
import { identify } from "../../content/feeds/identify.ts";
import { fingerprint, type Fingerprinted, pageAddress, spellingsOf } from "./fingerprints.ts";

/** The pause before the rest of a feed with more new items than are imported at a time. */
const REST_SECONDS = 15 * 60;

/**
 * Fetches a feed and makes articles of its new items.
 * @throws FetchProblem, FetchFailure that say why nothing, or not all, was imported
 */
export async function fetchFeed(surroundings: ImportServices, claim: Claim): Promise<Fetched> {
  const { db, outside } = surroundings;
  const admitted = await admit(db, claim.id);
  const answer = await requestFeed(outside.net, admitted.source.url, { ...claim, queueKey: "imports" });
  if (isUnchanged(answer, claim)) return { etag: claim.etag, lastModified: claim.lastModified };
  const feed = await read(outside, answer);
  const base = feed.link ?? answer.url;
  const isAll = await importNew(feed, { ...surroundings, admitted, claim, base });
  // The validators are left out, so that the next visit reads the rest.
  if (!isAll) return { nextInSeconds: REST_SECONDS };
  return { etag: answer.headers["etag"], lastModified: answer.headers["last-modified"] };
}

type Outside = ImportServices["outside"];

/**
 * Fetches a feed and imports nothing.
 * @throws FetchProblem, FetchFailure that say why it can't be read
 */
export async function tryFeed(outside: Outside, url: string): Promise<void> {
  await read(outside, await requestFeed(outside.net, url, { queueKey: "imports" }));
}

function read({ feedReader }: Outside, { status, body, headers, url }: Answer): Promise<Feed> {
  if (status !== 200) throw new FetchProblem(describe(status));
  return feedReader.read(body, headers["content-type"], url);
}

function describe(status: number): string {
  const words = STATUS_CODES[status];
  return `The server responds with the status ${status}${words === undefined ? "" : ` (${words})`}.`;
}

async function importNew(feed: Feed, importing: Omit<Importing, "written">): Promise<boolean> {
  const { db, claim, admitted } = importing;
  const { source } = admitted;
  const { fresh, hasMore, changed, duplicates } = await deduplicate(db, source.id, feed);
  if (changed.length > 0) {
    await inTransaction(db, async (tx) => {
      await lockSource(tx, claim);
      await queries.setMarks(tx, changed);
    });
  }
  const written = await pagesWritten(db, source.user_id, fresh);
  let isAll = !hasMore;
  for (const marked of fresh) {
    if (claim.signal.aborted) return false;
    const isDone = await importItem(marked, { ...importing, written });
    isAll &&= isDone;
  }
  if (isAll && duplicates.length > 0) await skip(duplicates, importing, SHARED);
  return isAll;
}

/** Items of a feed that are imported at a time, the newest first. */
const MAX_ITEMS = 100;
/** Fingerprints that the table allows for an item. */
const MAX_MARKS = 12;

/** Tells new items of a feed from known ones, whatever guid and address these have got since. */
async function deduplicate(db: Db, feedId: number, feed: Feed) {
  const marked = await fingerprint(feed.items, feed.link);
  const items = marked.toSorted((a, b) => ageOf(a.item) - ageOf(b.item));
  const rows = await queries.knownItems(
    db,
    feedId,
    items.flatMap(({ marks }) => marks),
  );
  const { fresh, changed, duplicates } = compare(items, rows);
  const hasMore = fresh.length > MAX_ITEMS;
  return {
    /** Unknown items, the oldest first. */
    fresh: fresh.slice(0, MAX_ITEMS).toReversed(),
    hasMore,
    changed,
    /** Never imported: another item has their guid or address, and must be known first. */
    duplicates: hasMore ? [] : duplicates.slice(0, MAX_ITEMS),
  };
}

function compare(items: readonly Fingerprinted[], rows: Awaited<ReturnType<typeof queries.knownItems>>) {
  const known = new Set(rows.flatMap(({ marks }) => marks));
  const [same, other] = [true, false].map((isSame) =>
    items.filter(({ marks }) => marks.every((mark) => known.has(mark)) === isSame),
  );
  const found = identify([...(same ?? []), ...(other ?? [])], rows, { item: marksOf, row: marksOf });
  const changed = (other ?? []).flatMap((each) => {
    const row = found.get(each);
    if (row === undefined) return [];
    // The first is unique. Of the others those go that were seen longest ago.
    const [first = "", ...others] = row.marks;
    const seen = each.marks.filter((mark) => others.includes(mark) || !known.has(mark));
    const unseen = others.filter((mark) => !seen.includes(mark));
    return [{ id: row.id, marks: [first, ...[...unseen, ...seen].slice(1 - MAX_MARKS)] }];
  });
  const taken = new Set([...known, ...[...found.keys()].flatMap(marksOf)]);
  const [fresh, duplicates]: [Fingerprinted[], Fingerprinted[]] = [[], []];
  for (const each of items.filter((one) => !found.has(one))) {
    const own = each.marks.filter((mark) => !taken.has(mark));
    if (own.length === each.marks.length) fresh.push(each);
    else if (own.length > 0) duplicates.push({ ...each, marks: own });
    for (const mark of own) taken.add(mark);
  }
  return { fresh, changed, duplicates };
}

const marksOf = ({ marks }: { marks: string[] }): string[] => marks;

/** An item without a date is as new as its place in the feed says. */
function ageOf({ publishedAt }: FeedItem): number {
  return publishedAt === undefined ? -8.64e15 : -publishedAt.getTime();
}

async function pagesWritten(
  db: Db,
  userId: number,
  fresh: readonly Fingerprinted[],
): Promise<ReadonlySet<string>> {
  const addresses = fresh.flatMap(({ item }) => (item.url === undefined ? [] : spellingsOf(item.url)));
  const found = addresses.length === 0 ? [] : await queries.articlesAt(db, userId, addresses);
  return new Set(found.flatMap((url) => pageAddress(url) ?? []));
}
