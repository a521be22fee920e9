import { createHash } from "node:crypto";
import type { FeedItem } from "../feed-parser/feed.ts";
import { pageOf } from "./addresses.ts";

/** An item with what it is known by, the surest first. */
export interface Marked {
  item: FeedItem;
  marks: string[];
}

/** A text of so many letters tells an item from others, whatever else is said of it. */
const TELLING_LETTERS = 200;
/** As much of a text and of a title as is looked at: a few milliseconds' work at worst. */
const MAX_HTML = 8_000;
const MAX_TITLE = 1_000;
/** A longer guid is no address. */
const MAX_ADDRESS = 2_048;
/** After so many items others have their turn: a feed has up to 10,000. */
const ITEMS_A_TURN = 10;
/** Two may be versions of one item; so many that say the same of themselves are different ones. */
const MAX_SHARERS = 2;

/**
 * The items that can be known again, each with its marks. What many items of a feed share tells none of them from
 * another, and neither does the address of their site: some feeds give every item one guid, or one link.
 */
export async function markAll(items: readonly FeedItem[], link: string | undefined): Promise<Marked[]> {
  const home = link === undefined ? undefined : pageOf(link);
  const sharers = new Map<string, Set<string>>();
  const found: { item: FeedItem; stated: string[]; made: string[] }[] = [];
  for await (const item of inTurns(items)) {
    const [stated, made] = [statedMarks(item, home), madeMarks(item)];
    for (const mark of stated) sharers.set(mark, (sharers.get(mark) ?? new Set()).add(made.join(" ")));
    found.push({ item, stated, made });
  }
  const tells = (mark: string) => (sharers.get(mark)?.size ?? 0) <= MAX_SHARERS;
  const marked: Marked[] = [];
  for await (const { item, stated, made } of inTurns(found)) {
    const marks = [...new Set([...stated.filter(tells), ...made])];
    if (marks.length > 0) marked.push({ item, marks });
  }
  return marked;
}

/** The same one by one, with a rest for others now and then. */
async function* inTurns<T>(all: readonly T[]): AsyncGenerator<T> {
  for (const [index, one] of all.entries()) {
    yield one;
    if (index % ITEMS_A_TURN === ITEMS_A_TURN - 1) await new Promise(setImmediate);
  }
}

/** What an item says of itself: its guid and its address, which are often the same. */
function statedMarks({ guid, url }: FeedItem, home: string | undefined): string[] {
  const named = guid === undefined || guid.length > MAX_ADDRESS ? undefined : pageOf(guid);
  const pages = [named, url === undefined ? undefined : pageOf(url)].filter((page) => page !== undefined);
  return [
    ...(guid === undefined || named !== undefined ? [] : [toMark("guid", guid)]),
    ...pages.filter((page) => page !== home).map((page) => toMark("page", page)),
  ];
}

/** What it is known by when it has got another guid and another address: its title or text and its date. */
function madeMarks({ title = "", html, summary, publishedAt }: FeedItem): string[] {
  const name = lettersOf(title.slice(0, MAX_TITLE));
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
