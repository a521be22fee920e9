import { DECLARATION, element, type Xml } from "../text/xml.ts";
import { type Entry, type Feed, feedLink, GENERATOR, pictureOf } from "./feed.ts";

export const RSS_TYPE = "application/rss+xml";

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
    element("title", {}, title),
    element("link", {}, page),
    element("description", {}, description),
    feedLink("atom:link", "self", feed.self, RSS_TYPE),
    feedLink("atom:link", "first", feed.first, RSS_TYPE),
    feedLink("atom:link", "next", feed.next, RSS_TYPE),
    language === undefined ? undefined : element("language", {}, language),
    updatedAt && element("lastBuildDate", {}, updatedAt.toUTCString()),
    element("generator", {}, GENERATOR),
    image(feed),
    ...feed.entries.map(item),
  );
  return DECLARATION + element("rss", { version: "2.0", ...NAMESPACES }, channel).xml;
}

function image({ picture, title, page }: Feed): Xml | undefined {
  if (picture === undefined) return undefined;
  return element(
    "image",
    {},
    element("url", {}, picture),
    element("title", {}, title),
    element("link", {}, page),
  );
}

function item({ id, url, title, summary, html, author, tags, cover, publishedAt, updatedAt }: Entry): Xml {
  return element(
    "item",
    {},
    element("title", {}, title),
    element("link", {}, url),
    element("guid", { isPermaLink: "false" }, id),
    element("pubDate", {}, publishedAt.toUTCString()),
    element("atom:updated", {}, updatedAt.toISOString()),
    element("dc:creator", {}, author.name),
    ...tags.map((tag) => element("category", {}, tag)),
    element("description", {}, asHtml(summary)),
    html === undefined ? undefined : element("content:encoded", {}, html),
    pictureOf(cover),
  );
}

/** A description is HTML, a title is not. */
function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
