import { createHash } from "node:crypto";
import type { FeedItem } from "../feed-reading/feed.ts";
import { fold } from "../text/fold.ts";
import { pageOf } from "./addresses.ts";

/** An item with what it is known by, the surest first. */
export interface Marked {
  item: FeedItem;
  marks: string[];
}

/** Two texts of so many letters that are the same are one, whatever else is said of them. */
const TELLING_LETTERS = 200;
/** As much of a text as tells it from others. */
const MAX_HTML = 50_000;

/**
 * The items that something can be known by, each with its marks. What several items of one feed say, or what is
 * said of the whole feed, tells none of them from another: some feeds give all items one guid, or the address of their site.
 */
export function markAll(items: readonly FeedItem[], link: string | undefined): Marked[] {
  const home = link === undefined ? undefined : pageOf(link);
  const found = items.map((item) => ({ item, stated: statedMarks(item, home), made: madeMarks(item) }));
  const counts = new Map<string, number>();
  for (const { stated, made } of found) {
    // The same item twice is not two that share a guid.
    const whole = `${made.join(" ")} `;
    for (const mark of stated) counts.set(whole + mark, 0);
  }
  const sharers = new Map<string, number>();
  for (const key of counts.keys()) {
    const mark = key.slice(key.lastIndexOf(" ") + 1);
    sharers.set(mark, (sharers.get(mark) ?? 0) + 1);
  }
  return found.flatMap(({ item, stated, made }) => {
    const marks = [...stated.filter((mark) => sharers.get(mark) === 1), ...made];
    return marks.length === 0 ? [] : [{ item, marks: [...new Set(marks)] }];
  });
}
