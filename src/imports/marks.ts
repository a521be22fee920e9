import { createHash } from "node:crypto";
import type { FeedItem } from "../feed-reading/feed.ts";
import { pageOf } from "./addresses.ts";

/** An item with what it is known by, the surest first. */
export interface Marked {
  item: FeedItem;
  marks: string[];
}

/** A text of so many letters tells an item from others, whatever else is said of it. */
const TELLING_LETTERS = 200;
/** As much of a text as is looked at. */
const MAX_HTML = 50_000;
/** Two may be versions of one item; so many that say the same of themselves are different ones. */
const MAX_SHARERS = 2;

/**
 * The items that can be known again, each with its marks. What many items of a feed share tells none of them from
 * another, and neither does the address of their site: some feeds give every item one guid, or one link.
 */
export function markAll(items: readonly FeedItem[], link: string | undefined): Marked[] {
  const home = link === undefined ? undefined : pageOf(link);
  const found = items.map((item) => ({ item, stated: statedMarks(item, home), made: madeMarks(item) }));
  const sharers = new Map<string, Set<string>>();
  for (const { stated, made } of found) {
    for (const mark of stated) sharers.set(mark, (sharers.get(mark) ?? new Set()).add(made.join(" ")));
  }
  const tells = (mark: string) => (sharers.get(mark)?.size ?? 0) <= MAX_SHARERS;
  return found.flatMap(({ item, stated, made }) => {
    const marks = [...new Set([...stated.filter(tells), ...made])];
    return marks.length === 0 ? [] : [{ item, marks }];
  });
}

/** What an item says of itself: its guid and its address, which are often the same. */
function statedMarks({ guid, url }: FeedItem, home: string | undefined): string[] {
  const pages = [guid, url].flatMap((address) => (address === undefined ? [] : (pageOf(address) ?? [])));
  const isAddress = guid !== undefined && pageOf(guid) !== undefined;
  return [
    ...(guid === undefined || isAddress ? [] : [toMark("guid", guid)]),
    ...pages.filter((page) => page !== home).map((page) => toMark("page", page)),
  ];
}

/** What it is known by when it has got another guid and another address: its title or text and its date. */
function madeMarks({ title = "", html, summary, publishedAt }: FeedItem): string[] {
  const name = lettersOf(title);
  const text = lettersOf((html ?? summary ?? "").slice(0, MAX_HTML));
  if (name === "" && text === "") return [];
  const date = publishedAt?.toISOString();
  return [
    ...(date === undefined ? [] : [toMark("date", `${name || text} ${date}`)]),
    ...(date === undefined || text.length >= TELLING_LETTERS ? [toMark("text", `${name} ${text}`)] : []),
  ];
}

/**
 * The letters and digits of a text, whatever the markup and the spaces around them. Marks are stored: what is
 * changed here makes strangers of all items that are known.
 */
function lettersOf(html: string): string {
  return withoutTags(html)
    .replaceAll(/&#?\w{1,31};/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** In one pass, because a pattern would look for the end of each of a million tags that have none. */
function withoutTags(html: string): string {
  let text = "";
  for (let from = 0; ;) {
    const start = html.indexOf("<", from);
    const end = start === -1 ? -1 : html.indexOf(">", start);
    if (end === -1) return text + html.slice(from);
    text += html.slice(from, start);
    from = end + 1;
  }
}

function toMark(kind: "guid" | "page" | "date" | "text", value: string): string {
  return createHash("sha256").update(`${kind} ${value}`).digest("base64url").slice(0, 22);
}
