import type { RdfFeed, RssFeed } from "feedsmith";
import { datesOf } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, duration, firstEnclosure, line, names } from "./values.ts";

type Item = RssFeed.Item<string>;

export function fromRss({ itunes, ...rss }: RssFeed.Feed<string>, url: string): Feed {
  const link = absolute(rss.link, url);
  // Feeds on another host have relative addresses of their site.
  const base = absolute(rss.xml?.base, url) ?? link ?? url;
  return {
    title: line(rss.title ?? itunes?.title) ?? "",
    description: clean(rss.description ?? itunes?.summary ?? itunes?.subtitle),
    link,
    imageUrl: absolute(itunes?.image, url) ?? absolute(rss.image?.url, url),
    movedTo: absolute(itunes?.newFeedUrl, url),
    items: (rss.items ?? []).map((item) => fromItem(item, base)),
  };
}

function fromItem(item: Item, base: string): FeedItem {
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

function permalink({ guid }: Item, base: string): string | undefined {
  const isAddress = guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? "");
  return isAddress ? absolute(guid?.value, base) : undefined;
}

/** Media RSS in place of an enclosure. */
function recordings({ media }: Item) {
  return (media?.contents ?? [])
    .filter(({ type, medium }) => /^(?:audio|video)/.test(type ?? medium ?? ""))
    .map(({ url, type, fileSize }) => ({ url, type, length: fileSize }));
}

export function fromRdf(rdf: RdfFeed.Feed<string>, url: string): Feed {
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
