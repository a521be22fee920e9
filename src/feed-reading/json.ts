import type { JsonFeed } from "feedsmith";
import { readDate } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, cleanLine, escapeHtml, natural } from "./values.ts";

type Json = JsonFeed.Feed<string>;
type JsonItem = JsonFeed.Item<string>;

export function fromJson(json: Json, url: string): Feed {
  const author = cleanLine(json.authors?.[0]?.name);
  return {
    format: "json",
    title: cleanLine(json.title) ?? "",
    description: clean(json.description),
    link: absolute(json.home_page_url, url),
    imageUrl: absolute(json.icon ?? json.favicon, url),
    author,
    language: cleanLine(json.language),
    items: (json.items ?? []).map((item) => fromItem(item, url, author)),
  };
}

function fromItem(item: JsonItem, base: string, feedAuthor: string | undefined): FeedItem {
  const attachment = item.attachments?.[0];
  const url = absolute(attachment?.url, base);
  const text = clean(item.content_text);
  return {
    guid: clean(item.id),
    url: absolute(item.url ?? item.external_url, base),
    title: cleanLine(item.title),
    html: clean(item.content_html) ?? (text === undefined ? undefined : escapeHtml(text)),
    summary: clean(item.summary),
    author: cleanLine(item.authors?.[0]?.name) ?? feedAuthor,
    publishedAt: readDate(item.date_published),
    updatedAt: readDate(item.date_modified),
    categories: [...new Set((item.tags ?? []).map(cleanLine).filter((name) => name !== undefined))],
    imageUrl: absolute(item.image ?? item.banner_image, base),
    enclosure:
      url === undefined
        ? undefined
        : {
            url,
            type: cleanLine(attachment?.mime_type),
            length: natural(attachment?.size_in_bytes, Number.MAX_SAFE_INTEGER),
          },
    durationSeconds: natural(attachment?.duration_in_seconds, 30 * 24 * 3600),
  };
}
