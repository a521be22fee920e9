import type { JsonFeed } from "feedsmith";
import { datesOf } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, duration, firstEnclosure, line, names, toHtml } from "./values.ts";

type Item = JsonFeed.Item<string>;

export function fromJson(json: JsonFeed.Feed<string>, url: string): Feed {
  return {
    title: line(json.title) ?? "",
    description: toHtml(clean(json.description)),
    link: absolute(json.home_page_url, url),
    imageUrl: absolute(json.icon, url) ?? absolute(json.favicon, url),
    items: (json.items ?? []).map((item) => fromItem(item, url)),
  };
}

function fromItem(item: Item, feedUrl: string): FeedItem {
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
