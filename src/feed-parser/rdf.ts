import type { RdfFeed } from "feedsmith";
import { readDate } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, cleanLine, names } from "./values.ts";

export function fromRdf(rdf: RdfFeed.Feed<string>, url: string): Feed {
  const link = absolute(rdf.link, url);
  return {
    title: cleanLine(rdf.title) ?? "",
    description: clean(rdf.description),
    link,
    imageUrl: absolute(rdf.image?.url, url),
    items: (rdf.items ?? []).map((item) => fromItem(item, link ?? url)),
  };
}

function fromItem({ dc, ...item }: RdfFeed.Item<string>, base: string): FeedItem {
  return {
    guid: clean(item.rdf?.about ?? item.link),
    url: absolute(item.link, base),
    title: cleanLine(item.title),
    html: clean(item.content?.encoded),
    summary: clean(item.description),
    publishedAt: readDate(dc?.dates?.[0]),
    categories: names(dc?.subjects ?? []),
  };
}
