import { createHash } from "node:crypto";
import type { FeedItem } from "../../content/feeds/feed.ts";
import { parseUrl } from "../../platform/text/urls.ts";

export interface Fingerprinted {
  item: FeedItem;
  marks: string[];
}

/** Letters that a text needs to identify an item by itself. */
const TELLING_LETTERS = 200;
/** Characters of a text and of a title that are read: a few milliseconds' work at worst. */
const MAX_HTML = 8_000;
const MAX_TITLE = 1_000;
/** A longer guid is no address. */
const MAX_ADDRESS = 2_048;
/** Items after which other work has its turn: a feed has up to 10,000. */
const ITEMS_A_TURN = 10;
/** Two items with one guid may be versions of one; more than two are different items. */
const MAX_SHARERS = 2;

/**
 * The fingerprints of items, without items that have none. A guid or link that many items of a feed share identifies
 * none of them, and neither does the address of their site.
 */
export async function fingerprint(
  items: readonly FeedItem[],
  link: string | undefined,
): Promise<Fingerprinted[]> {
  const home = link === undefined ? undefined : pageAddress(link);
  const sharers = new Map<string, Set<string>>();
  const found: { item: FeedItem; stated: string[]; made: string[] }[] = [];
  for await (const item of inTurns(items)) {
    const [stated, made] = [statedMarks(item, home), madeMarks(item)];
    for (const mark of stated) sharers.set(mark, (sharers.get(mark) ?? new Set()).add(made.join(" ")));
    found.push({ item, stated, made });
  }
  const tells = (mark: string) => (sharers.get(mark)?.size ?? 0) <= MAX_SHARERS;
  const marked: Fingerprinted[] = [];
  for await (const { item, stated, made } of inTurns(found)) {
    const marks = [...new Set([...stated.filter(tells), ...made])];
    if (marks.length > 0) marked.push({ item, marks });
  }
  return marked;
}

async function* inTurns<T>(all: readonly T[]): AsyncGenerator<T> {
  for (const [index, one] of all.entries()) {
    yield one;
    if (index % ITEMS_A_TURN === ITEMS_A_TURN - 1) await new Promise(setImmediate);
  }
}

/** Fingerprints of the guid and the address, which are often the same. */
function statedMarks({ guid, url }: FeedItem, home: string | undefined): string[] {
  const named = guid === undefined || guid.length > MAX_ADDRESS ? undefined : pageAddress(guid);
  const pages = [named, url === undefined ? undefined : pageAddress(url)].filter(
    (page) => page !== undefined,
  );
  return [
    ...(guid === undefined || named !== undefined ? [] : [toMark("guid", guid)]),
    ...pages.filter((page) => page !== home).map((page) => toMark("page", page)),
  ];
}

/** Fingerprints for an item that has got another guid and another address: title or text, and date. */
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
 * The letters and digits of a text without its markup. Fingerprints are stored: a change here makes all known items
 * unknown.
 */
function lettersOf(html: string): string {
  return withoutTags(html)
    .replaceAll(/&#?\w{1,31};/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Removes tags in one pass: a pattern would look for the end of each of a million unclosed tags. */
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

const TRACKING =
  /^(?:utm_\w+|(?:fb|g|d|y|tt|ms|tw|gad_)clid|gbraid|wbraid|igshid|igsh|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|vero_id|[mp]k_\w+|mtm_\w+|xtor|ncid|cmpid)$/i;
/** Parameters that track only where their value names a feed. */
const PERHAPS_TRACKING = /^(?:ref|source|src|from|via|campaign|medium)$/i;

/** An address without tracking parameters; byte for byte as given if it has none. */
export function withoutTracking(address: string): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  const pairs = query?.split("&") ?? [];
  const kept = pairs.filter((pair) => !isTracking(pair));
  const isCounted = isTracking(fragment.slice(1).split("&", 1)[0] ?? "");
  if (kept.length === pairs.length && !isCounted) return address;
  return before + (kept.length > 0 ? `?${kept.join("&")}` : "") + (isCounted ? "" : fragment);
}

function isTracking(pair: string): boolean {
  const [name = "", value = ""] = pair.split("=", 2);
  return TRACKING.test(name) || (PERHAPS_TRACKING.test(name) && /rss|feed|atom/i.test(value));
}

/**
 * One form for all spellings of a page's address; undefined for another text. A fragment stays: some sites have all
 * their posts on one page.
 */
export function pageAddress(address: string): string | undefined {
  const text = withoutTracking(address.trim());
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (!url) return undefined;
  const { hostname, port, pathname, search, hash } = url;
  const path = pathname.replace(/\/(?:index\.(?:html?|php))?$/i, "");
  const pairs = search.slice(1).split("&").filter(Boolean);
  const query = pairs.length === 0 ? "" : `?${pairs.toSorted().join("&")}`;
  const host = hostname.replace(/^www\./, "").replace(/\.$/, "");
  return `${host}${["", "80", "443"].includes(port) ? "" : `:${port}`}${path}${query}${hash}`;
}

export function spellingsOf(address: string): string[] {
  const plain = withoutTracking(address.trim());
  const [, host = "", path = "", rest = ""] =
    /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)(.*)$/is.exec(plain) ?? [];
  if (host === "") return [address];
  const stem = path.replace(/\/$/, "");
  const spellings = ["http://", "https://", "http://www.", "https://www."].flatMap((start) => [
    `${start}${host}${stem}${rest}`,
    `${start}${host}${stem}/${rest}`,
  ]);
  return [...new Set([address, plain, ...spellings])];
}
