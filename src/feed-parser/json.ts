import type { JsonFeed } from "feedsmith";
import { readDate } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, cleanLine, duration, firstEnclosure, names, toHtml } from "./values.ts";

type Item = JsonFeed.Item<string>;

export function fromJson(json: JsonFeed.Feed<string>, url: string): Feed {
  const author = cleanLine(json.authors?.[0]?.name);
  return {
    format: "json",
    title: cleanLine(json.title) ?? "",
    description: toHtml(clean(json.description)),
    link: absolute(json.home_page_url, url),
    imageUrl: absolute(json.icon, url) ?? absolute(json.favicon, url),
    author,
    language: cleanLine(json.language),
    items: (json.items ?? []).map((item) => fromItem(item, { url, author })),
  };
}

function fromItem(item: Item, feed: { url: string; author: string | undefined }): FeedItem {
  const files = item.attachments ?? [];
  return {
    guid: clean(item.id),
    url: absolute(item.url, feed.url) ?? absolute(item.external_url, feed.url),
    title: cleanLine(item.title),
    html: clean(item.content_html) ?? toHtml(clean(item.content_text)),
    summary: toHtml(clean(item.summary)),
    author: cleanLine(item.authors?.[0]?.name) ?? feed.author,
    publishedAt: readDate(item.date_published),
    updatedAt: readDate(item.date_modified),
    categories: names(item.tags ?? []),
    imageUrl: absolute(item.image, feed.url) ?? absolute(item.banner_image, feed.url),
    enclosure: firstEnclosure(
      files.map((file) => ({ url: file.url, type: file.mime_type, length: file.size_in_bytes })),
      feed.url,
    ),
    durationSeconds: duration(files[0]?.duration_in_seconds),
  };
}
