import { DECLARATION, element, type Xml } from "../../content/text/xml.ts";

/** Texts are plain, except the HTML of entries. */
export interface Feed {
  title: string;
  description: string;
  id: string;
  page: string;
  self: string;
  first: string | undefined;
  next: string | undefined;
  language: string | undefined;
  picture: string | undefined;
  updatedAt: Date | undefined;
  entries: Entry[];
}

export interface Entry {
  /** Survives a move of the article. */
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string | undefined;
  author: { name: string; url: string; picture: string };
  tags: readonly string[];
  cover: string | undefined;
  publishedAt: Date;
  updatedAt: Date;
}

const GENERATOR = "Inkstone";

function feedLink(name: string, rel: string, href: string | undefined, type: string): Xml | undefined {
  return href === undefined ? undefined : element(name, { rel, type, href });
}

/** Elements without attributes, except those whose text is undefined. */
function texts(values: Record<string, string | undefined>): (Xml | undefined)[] {
  return Object.entries(values).map(([name, text]) =>
    text === undefined ? undefined : element(name, {}, text),
  );
}

/** An enclosure would need the number of bytes. */
function pictureOf(url: string | undefined): Xml | undefined {
  return url === undefined ? undefined : element("media:content", { url, medium: "image" });
}

const RSS_TYPE = "application/rss+xml";

const NAMESPACES = {
  "xmlns:atom": "http://www.w3.org/2005/Atom",
  "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:media": "http://search.yahoo.com/mrss/",
};

/** The profile of the RSS Advisory Board. */
export function toRss(feed: Feed): string {
  const { title, page, description, language, updatedAt } = feed;
  const channel = element(
    "channel",
    {},
    ...texts({ title, link: page, description }),
    feedLink("atom:link", "self", feed.self, RSS_TYPE),
    feedLink("atom:link", "first", feed.first, RSS_TYPE),
    feedLink("atom:link", "next", feed.next, RSS_TYPE),
    ...texts({ language, lastBuildDate: updatedAt?.toUTCString(), generator: GENERATOR }),
    feed.picture === undefined
      ? undefined
      : element("image", {}, ...texts({ url: feed.picture, title, link: page })),
    ...feed.entries.map(rssItem),
  );
  return DECLARATION + element("rss", { version: "2.0", ...NAMESPACES }, channel).xml;
}

function rssItem({ id, url, title, summary, html, author, tags, cover, publishedAt, updatedAt }: Entry): Xml {
  return element(
    "item",
    {},
    ...texts({ title, link: url }),
    element("guid", { isPermaLink: "false" }, id),
    ...texts({
      pubDate: publishedAt.toUTCString(),
      "atom:updated": updatedAt.toISOString(),
      "dc:creator": author.name,
    }),
    ...tags.map((tag) => element("category", {}, tag)),
    ...texts({ description: asHtml(summary), "content:encoded": html }),
    pictureOf(cover),
  );
}

/** A description is HTML, a title is not. */
function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const ATOM_TYPE = "application/atom+xml";

/** An empty feed needs a date too. */
const NEVER = new Date(0);

/** RFC 4287, with parts by RFC 5005. */
export function toAtom(feed: Feed): string {
  const { language, updatedAt = NEVER } = feed;
  const attributes = {
    xmlns: "http://www.w3.org/2005/Atom",
    "xmlns:media": "http://search.yahoo.com/mrss/",
    "xml:lang": language,
  };
  const root = element(
    "feed",
    attributes,
    ...texts({
      id: feed.id,
      title: feed.title,
      subtitle: feed.description,
      updated: updatedAt.toISOString(),
    }),
    feedLink("link", "alternate", feed.page, "text/html"),
    feedLink("link", "self", feed.self, ATOM_TYPE),
    feedLink("link", "first", feed.first, ATOM_TYPE),
    feedLink("link", "next", feed.next, ATOM_TYPE),
    ...texts({ generator: GENERATOR, icon: feed.picture }),
    ...feed.entries.map(atomEntry),
  );
  return DECLARATION + root.xml;
}

function atomEntry({ id, url, title, summary, html, author, tags, cover, ...dates }: Entry): Xml {
  return element(
    "entry",
    {},
    ...texts({ id, title }),
    feedLink("link", "alternate", url, "text/html"),
    ...texts({ published: dates.publishedAt.toISOString(), updated: dates.updatedAt.toISOString() }),
    element("author", {}, ...texts({ name: author.name, uri: author.url })),
    ...tags.map((term) => element("category", { term })),
    element("summary", {}, summary),
    html === undefined ? undefined : element("content", { type: "html" }, html),
    pictureOf(cover),
  );
}

const JSON_FEED_TYPE = "application/feed+json";

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
    items: entries.map(jsonItem),
  });
}

function jsonItem({ id, url, title, summary, html, author, tags, cover, publishedAt, updatedAt }: Entry) {
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

export interface Format {
  /** Neither a username nor a tag has a dot. */
  suffix: string;
  type: string;
  write(feed: Feed): string;
}

export const RSS: Format = { suffix: "", type: RSS_TYPE, write: toRss };
export const OTHERS: readonly Format[] = [
  { suffix: ".atom", type: ATOM_TYPE, write: toAtom },
  { suffix: ".json", type: JSON_FEED_TYPE, write: toJsonFeed },
];
