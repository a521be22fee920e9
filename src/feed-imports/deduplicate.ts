import type { Db } from "../db/connect.ts";
import type { Feed, FeedItem } from "../feed-parser/feed.ts";
import { identify } from "../feed-parser/identify.ts";
import { pageAddress, spellingsOf } from "./addresses.ts";
import { fingerprint, type Fingerprinted } from "./fingerprints.ts";
import * as queries from "./queries.ts";

/** Items of a feed that are imported at a time, the newest first. */
const MAX_ITEMS = 100;
/** Fingerprints that the table allows for an item. */
const MAX_MARKS = 12;

/** Tells new items of a feed from known ones, whatever guid and address these have got since. */
export async function deduplicate(db: Db, feedId: number, feed: Feed) {
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

export async function pagesWritten(
  db: Db,
  userId: number,
  fresh: readonly Fingerprinted[],
): Promise<ReadonlySet<string>> {
  const addresses = fresh.flatMap(({ item }) => (item.url === undefined ? [] : spellingsOf(item.url)));
  const found = addresses.length === 0 ? [] : await queries.articlesAt(db, userId, addresses);
  return new Set(found.flatMap((url) => pageAddress(url) ?? []));
}
