import { DECLARATION, element, type Xml } from "../text/xml.ts";
import { type Entry, type Feed, feedLink, GENERATOR, pictureOf } from "./feed.ts";

export const ATOM_TYPE = "application/atom+xml";

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
    element("id", {}, feed.id),
    element("title", {}, feed.title),
    element("subtitle", {}, feed.description),
    element("updated", {}, updatedAt.toISOString()),
    feedLink("link", "alternate", feed.page, "text/html"),
    feedLink("link", "self", feed.self, ATOM_TYPE),
    feedLink("link", "first", feed.first, ATOM_TYPE),
    feedLink("link", "next", feed.next, ATOM_TYPE),
    element("generator", {}, GENERATOR),
    feed.picture === undefined ? undefined : element("icon", {}, feed.picture),
    ...feed.entries.map(entry),
  );
  return DECLARATION + root.xml;
}

function entry({ id, url, title, summary, html, author, tags, cover, ...dates }: Entry): Xml {
  return element(
    "entry",
    {},
    element("id", {}, id),
    element("title", {}, title),
    feedLink("link", "alternate", url, "text/html"),
    element("published", {}, dates.publishedAt.toISOString()),
    element("updated", {}, dates.updatedAt.toISOString()),
    element("author", {}, element("name", {}, author.name), element("uri", {}, author.url)),
    ...tags.map((term) => element("category", { term })),
    element("summary", {}, summary),
    html === undefined ? undefined : element("content", { type: "html" }, html),
    pictureOf(cover),
  );
}
