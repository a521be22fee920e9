import type { Db } from "../db/connect.ts";
import type { Feed, FeedItem } from "../feed-parser/feed.ts";
import { pageOf, spellingsOf } from "./addresses.ts";
import { markAll, type Marked } from "./marks.ts";
import * as queries from "./queries.ts";

/** So many of a feed's items are taken in at a time, the newest first. */
const MAX_ITEMS = 100;
/** So many marks of an item are kept: as many as the table allows. */
const MAX_MARKS = 12;

/** What is to be done with what a feed holds now. */
interface Sorted {
  /** Unknown items, the oldest first. */
  fresh: Marked[];
  /** Whether there are more of them than are taken in at a time. */
  hasMore: boolean;
  /** Known items that have got another guid, address or title, with all that they are known by now. */
  changed: { id: number; marks: string[] }[];
  /** Unknown items that never come, because another one of the feed has a guid or an address of theirs. */
  leftOut: Marked[];
}

/** Tells what is new in a feed from what was seen before, whatever guid and address it has got since. */
export async function sort(db: Db, feedId: number, feed: Feed): Promise<Sorted> {
  const marked = (await markAll(feed.items, feed.link)).toSorted((a, b) => ageOf(a.item) - ageOf(b.item));
  const known = await queries.knownItems(
    db,
    feedId,
    marked.flatMap(({ marks }) => marks),
  );
  const { fresh, changed, leftOut } = compare(marked, known);
  const hasMore = fresh.length > MAX_ITEMS;
  return {
    fresh: fresh.slice(0, MAX_ITEMS).toReversed(),
    hasMore,
    changed: known.flatMap(({ id, marks }) => {
      const now = changed.get(id) ?? marks;
      return now === marks ? [] : [{ id, marks: now }];
    }),
    // What they share belongs to another one, which must be known first.
    leftOut: hasMore ? [] : leftOut.slice(0, MAX_ITEMS),
  };
}

type Known = Awaited<ReturnType<typeof queries.knownItems>>;

function compare(marked: readonly Marked[], known: Known) {
  const holders = new Map(known.toReversed().flatMap(({ id, marks }) => marks.map((mark) => [mark, id])));
  const changed = new Map(known.map(({ id, marks }) => [id, marks]));
  const isAsKnown = ({ marks }: Marked) => marks.every((mark) => holders.has(mark));
  const taken = new Set(marked.filter(isAsKnown).flatMap(({ marks }) => marks));
  const fresh: Marked[] = [];
  const leftOut: Marked[] = [];
  for (const each of marked.filter((one) => !isAsKnown(one))) {
    const own = each.marks.filter((mark) => !taken.has(mark));
    const holder = each.marks.map((mark) => holders.get(mark)).find((id) => id !== undefined);
    if (own.length < each.marks.length) {
      // Of two versions of one item the newer one is taken.
      if (own.length > 0 && own.every((mark) => !holders.has(mark))) leftOut.push({ ...each, marks: own });
    } else if (holder === undefined) fresh.push(each);
    else changed.set(holder, merged(changed.get(holder) ?? [], each.marks));
    for (const mark of each.marks) taken.add(mark);
  }
  return { fresh, changed, leftOut };
}

/** One without a date is as new as its place in the feed says. */
function ageOf({ publishedAt }: FeedItem): number {
  return publishedAt === undefined ? -8.64e15 : -publishedAt.getTime();
}

/**
 * The same array if there is nothing to add. The first mark stays; of the others those that were seen longest ago go,
 * so that a feed with new guids every hour doesn't push out what its items keep.
 */
function merged(before: string[], marks: readonly string[]): string[] {
  if (marks.every((mark) => before.includes(mark))) return before;
  const [first = "", ...others] = before;
  const seen = marks.filter((mark) => mark !== first);
  const unseen = others.filter((mark) => !seen.includes(mark));
  return [first, ...[...unseen, ...seen].slice(1 - MAX_MARKS)];
}

/** The pages of these items that articles of this person are about already, however they came here. */
export async function pagesWritten(
  db: Db,
  userId: number,
  fresh: readonly Marked[],
): Promise<ReadonlySet<string>> {
  const addresses = fresh.flatMap(({ item }) => (item.url === undefined ? [] : spellingsOf(item.url)));
  const found = addresses.length === 0 ? [] : await queries.articlesAt(db, userId, addresses);
  return new Set(found.flatMap((url) => pageOf(url) ?? []));
}
