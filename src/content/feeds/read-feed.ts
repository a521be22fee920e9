import {
  type AtomFeed,
  type JsonFeed,
  parseAtomFeed,
  parseJsonFeed,
  parseRdfFeed,
  parseRssFeed,
  type RdfFeed,
  type RssFeed,
} from "feedsmith";
import { decode, type Document, recognise } from "./document.ts";
import { type Feed, type FeedItem, FeedProblem } from "./feed.ts";
import { plainText } from "../text/plain-text.ts";
import { sanitise } from "../text/sanitise.ts";
import { datesOf } from "./dates.ts";
import { absolute, clean, cleanLine, duration, firstEnclosure, line, names, toHtml } from "./values.ts";

const OPTIONS = { maxItems: 10_000 };

export function readFeed(bytes: Uint8Array, contentType: string | undefined, url: string): Feed {
  const document = recognise(decode(bytes, contentType));
  const feed = attempt(document, url);
  if (feed === undefined) throw new FeedProblem(FAULTS[document.kind]);
  return feed;
}

const FAULTS: Record<Document["kind"], string> = {
  rss: "The feed is broken: it is not valid RSS.",
  atom: "The feed is broken: it is not valid Atom.",
  rdf: "The feed is broken: it is not valid RSS 1.0.",
  json: "What is there is JSON, but no JSON Feed.",
};

function attempt({ kind, text }: Document, url: string): Feed | undefined {
  try {
    return convert(kind, text, url);
  } catch (error) {
    if (isTooDeep(error)) throw new FeedProblem("The feed is nested too deeply.");
    // The parser fails on bad texts only.
    return undefined;
  }
}

function convert(kind: Document["kind"], text: string, url: string): Feed {
  if (kind === "rss") return fromRss(parseRssFeed(bareDurations(text), OPTIONS), url);
  if (kind === "atom") return fromAtom(parseAtomFeed(text, OPTIONS), url);
  if (kind === "rdf") return fromRdf(parseRdfFeed(text, OPTIONS), url);
  return fromJson(parseJsonFeed(text, OPTIONS), url);
}

const DURATION =
  /(<itunes:duration>)\s{0,100}(?:<!\[CDATA\[\s{0,100})?([\d:.]{1,20})\s{0,100}(?:\]\]>\s{0,100})?(?=<)/gi;

/** The parser knows a duration only without spaces around it. */
function bareDurations(text: string): string {
  return text.replaceAll(DURATION, "$1$2");
}

function isTooDeep(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof RangeError || /nested tags/i.test(error.message) || isTooDeep(error.cause);
}

type Entry = AtomFeed.Entry<string>;
type Text = Entry["title"] | Entry["content"];

function fromAtom(atom: AtomFeed.Feed<string>, url: string): Feed {
  const base = absolute(atom.xml?.base, url) ?? url;
  return {
    title: titleOf(atom.title) ?? "",
    description: html(atom.subtitle),
    link: pageLinkOf(atom.links, base),
    imageUrl: absolute(atom.logo ?? atom.icon ?? atom.itunes?.image, base),
    movedTo: absolute(atom.itunes?.newFeedUrl, base),
    items: (atom.entries ?? []).map((entry) => fromEntry(entry, base)),
  };
}

function fromEntry(entry: Entry, feedBase: string): FeedItem {
  const base = absolute(entry.xml?.base, feedBase) ?? feedBase;
  const files = (entry.links ?? []).filter(({ rel }) => rel === "enclosure");
  const pictures = entry.media?.thumbnails ?? entry.media?.groups?.[0]?.thumbnails;
  return {
    guid: clean(entry.id),
    url: pageLinkOf(entry.links, base),
    title: titleOf(entry.title),
    html: html(entry.content),
    summary: html(entry.summary),
    ...datesOf(entry.published, entry.updated),
    categories: names((entry.categories ?? []).map(({ label, term }) => label ?? term)),
    imageUrl: absolute(pictures?.[0]?.url, base),
    enclosure: firstEnclosure(
      files.map(({ href, type, length }) => ({ url: href, type, length })),
      base,
    ),
  };
}

/** A link without a relation is the page. */
function pageLinkOf(links: Entry["links"], base: string): string | undefined {
  const pages = (links ?? []).filter(({ rel = "alternate" }) => rel === "alternate");
  const page = pages.find(({ type }) => type === undefined || type.includes("html")) ?? pages[0];
  return absolute(page?.href, base);
}

const HTML = /^(?:html|xhtml|text\/html|application\/xhtml\+xml)$/i;

/** Text with its angle brackets; other types are left out. */
function html(text: Text): string | undefined {
  const { value, type = "text" } = text ?? {};
  if (HTML.test(type)) return clean(value);
  return /^text(?:$|\/plain)/i.test(type) ? toHtml(clean(value)) : undefined;
}

function titleOf(text: Text): string | undefined {
  const { value, type = "text" } = text ?? {};
  return value !== undefined && HTML.test(type) ? cleanLine(plainText(sanitise(value))) : line(value);
}

function fromRss({ itunes, ...rss }: RssFeed.Feed<string>, url: string): Feed {
  const link = absolute(rss.link, url);
  // Feeds on another host have relative addresses of their site.
  const base = absolute(rss.xml?.base, url) ?? link ?? url;
  return {
    title: line(rss.title ?? itunes?.title) ?? "",
    description: clean(rss.description ?? itunes?.summary ?? itunes?.subtitle),
    link,
    imageUrl: absolute(itunes?.image, url) ?? absolute(rss.image?.url, url),
    movedTo: absolute(itunes?.newFeedUrl, url),
    items: (rss.items ?? []).map((item) => fromRssItem(item, base)),
  };
}

function fromRssItem(item: RssFeed.Item<string>, base: string): FeedItem {
  const { itunes, dc, media } = item;
  return {
    guid: clean(item.guid?.value),
    url: absolute(item.link, base) ?? permalink(item, base),
    title: line(item.title ?? itunes?.title),
    html: clean(item.content?.encoded),
    summary: clean(item.description ?? itunes?.summary ?? itunes?.subtitle),
    ...datesOf(item.pubDate, dc?.dates?.[0]),
    categories: names([...(item.categories ?? []).map(({ name }) => name), ...(dc?.subjects ?? [])]),
    imageUrl: absolute(itunes?.image, base) ?? absolute(media?.thumbnails?.[0]?.url, base),
    enclosure: firstEnclosure([...(item.enclosures ?? []), ...recordings(item)], base),
    durationSeconds: duration(itunes?.duration),
  };
}

function permalink({ guid }: RssFeed.Item<string>, base: string): string | undefined {
  const isAddress = guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? "");
  return isAddress ? absolute(guid?.value, base) : undefined;
}

/** Media RSS in place of an enclosure. */
function recordings({ media }: RssFeed.Item<string>) {
  return (media?.contents ?? [])
    .filter(({ type, medium }) => /^(?:audio|video)/.test(type ?? medium ?? ""))
    .map(({ url, type, fileSize }) => ({ url, type, length: fileSize }));
}

function fromRdf(rdf: RdfFeed.Feed<string>, url: string): Feed {
  const link = absolute(rdf.link, url);
  return {
    title: line(rdf.title) ?? "",
    description: clean(rdf.description),
    link,
    imageUrl: absolute(rdf.image?.url, url),
    items: (rdf.items ?? []).map((item) => fromRdfItem(item, link ?? url)),
  };
}

function fromRdfItem({ dc, ...item }: RdfFeed.Item<string>, base: string): FeedItem {
  return {
    guid: clean(item.rdf?.about ?? item.link),
    url: absolute(item.link, base),
    title: line(item.title),
    html: clean(item.content?.encoded),
    summary: clean(item.description),
    ...datesOf(dc?.dates?.[0]),
    categories: names(dc?.subjects ?? []),
  };
}

function fromJson(json: JsonFeed.Feed<string>, url: string): Feed {
  return {
    title: line(json.title) ?? "",
    description: toHtml(clean(json.description)),
    link: absolute(json.home_page_url, url),
    imageUrl: absolute(json.icon, url) ?? absolute(json.favicon, url),
    items: (json.items ?? []).map((item) => fromJsonItem(item, url)),
  };
}

function fromJsonItem(item: JsonFeed.Item<string>, feedUrl: string): FeedItem {
  const files = item.attachments ?? [];
  return {
    guid: clean(item.id),
    url: absolute(item.url, feedUrl) ?? absolute(item.external_url, feedUrl),
    title: line(item.title),
    html: clean(item.content_html) ?? toHtml(clean(item.content_text)),
    summary: toHtml(clean(item.summary)),
    ...datesOf(item.date_published),
    categories: names(item.tags ?? []),
    imageUrl: absolute(item.image, feedUrl) ?? absolute(item.banner_image, feedUrl),
    enclosure: firstEnclosure(
      files.map((file) => ({ url: file.url, type: file.mime_type, length: file.size_in_bytes })),
      feedUrl,
    ),
    durationSeconds: duration(files[0]?.duration_in_seconds),
  };
}
