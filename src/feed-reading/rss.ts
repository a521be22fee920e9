import type { RdfFeed, RssFeed } from "feedsmith";
import { readDate } from "./dates.ts";
import type { Enclosure, Feed, FeedItem } from "./feed.ts";
import { absolute, clean, cleanLine, natural } from "./values.ts";

type Rss = RssFeed.Feed<string>;
type RssItem = RssFeed.Item<string>;
type Rdf = RdfFeed.Feed<string>;
type RdfItem = RdfFeed.Item<string>;

const MAX_SECONDS = 30 * 24 * 3600;

export function fromRss(rss: Rss, url: string): Feed {
  const base = absolute(rss.link, url) ?? url;
  return {
    format: "rss",
    title: cleanLine(rss.title ?? rss.itunes?.title) ?? "",
    description: clean(rss.description ?? rss.itunes?.summary ?? rss.itunes?.subtitle),
    link: absolute(rss.link, url),
    imageUrl: absolute(rss.itunes?.image ?? rss.image?.url, url),
    author: cleanLine(rss.itunes?.author ?? rss.managingEditor?.name ?? rss.dc?.creators?.[0]),
    language: cleanLine(rss.language ?? rss.dc?.languages?.[0]),
    movedTo: absolute(rss.itunes?.newFeedUrl, url),
    items: (rss.items ?? []).map((item) => fromRssItem(item, base)),
  };
}

function fromRssItem(item: RssItem, base: string): FeedItem {
  const { itunes, dc, media } = item;
  return {
    guid: clean(item.guid?.value),
    url: absolute(item.link ?? permalink(item), base),
    title: cleanLine(item.title ?? itunes?.title),
    html: clean(item.content?.encoded),
    summary: clean(item.description ?? itunes?.summary ?? itunes?.subtitle),
    author: cleanLine(dc?.creators?.[0] ?? item.authors?.[0]?.name ?? itunes?.author),
    publishedAt: readDate(item.pubDate ?? dc?.dates?.[0]),
    updatedAt: readDate(item.atom?.updated),
    categories: names([...(item.categories ?? []).map(({ name }) => name), ...(dc?.subjects ?? [])]),
    imageUrl: absolute(itunes?.image ?? media?.thumbnails?.[0]?.url, base),
    enclosure: firstEnclosure(item, base),
    durationSeconds: natural(itunes?.duration, MAX_SECONDS),
  };
}

/** A guid is an address unless it says otherwise. */
function permalink({ guid }: RssItem): string | undefined {
  return guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? "") ? guid?.value : undefined;
}

function firstEnclosure({ enclosures, media }: RssItem, base: string): Enclosure | undefined {
  const contents = (media?.contents ?? []).filter(({ type, medium }) =>
    /^(audio|video)/.test(type ?? medium ?? ""),
  );
  const all = [...(enclosures ?? []), ...contents.map((each) => ({ ...each, length: each.fileSize }))];
  for (const { url, type, length } of all) {
    const address = absolute(url, base);
    if (address !== undefined)
      return { url: address, type: cleanLine(type), length: natural(length, Number.MAX_SAFE_INTEGER) };
  }
  return undefined;
}

export function fromRdf(rdf: Rdf, url: string): Feed {
  const base = absolute(rdf.link, url) ?? url;
  return {
    format: "rss",
    title: cleanLine(rdf.title) ?? "",
    description: clean(rdf.description),
    link: absolute(rdf.link, url),
    imageUrl: absolute(rdf.image?.url, url),
    author: cleanLine(rdf.dc?.creators?.[0]),
    language: cleanLine(rdf.dc?.languages?.[0]),
    items: (rdf.items ?? []).map((item) => fromRdfItem(item, base)),
  };
}

function fromRdfItem(item: RdfItem, base: string): FeedItem {
  return {
    guid: clean(item.rdf?.about ?? item.link),
    url: absolute(item.link, base),
    title: cleanLine(item.title),
    html: clean(item.content?.encoded),
    summary: clean(item.description),
    author: cleanLine(item.dc?.creators?.[0]),
    publishedAt: readDate(item.dc?.dates?.[0]),
    categories: names(item.dc?.subjects ?? []),
  };
}

function names(given: readonly (string | undefined)[]): string[] {
  return [...new Set(given.map(cleanLine).filter((name) => name !== undefined))];
}
