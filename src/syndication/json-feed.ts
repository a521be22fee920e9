import type { Entry, Feed } from "./feed.ts";

export const JSON_FEED_TYPE = "application/feed+json";

export function toJsonFeed(feed: Feed): string {
  const { title, description, page, self, next, language, picture, entries } = feed;
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description,
    home_page_url: page,
    feed_url: self,
    next_url: next,
    language,
    icon: picture,
    items: entries.map(item),
  });
}

function item({ id, url, title, summary, html, author, tags, cover, publishedAt, updatedAt }: Entry) {
  return {
    id,
    url,
    title,
    summary,
    // One of the two is required.
    ...(html === undefined ? { content_text: summary } : { content_html: html }),
    image: cover,
    date_published: publishedAt.toISOString(),
    date_modified: updatedAt.toISOString(),
    authors: [{ name: author.name, url: author.url, avatar: author.picture }],
    tags,
  };
}
