import type { AtomFeed } from "feedsmith";
import { plainText } from "../text/plain-text.ts";
import { sanitise } from "../text/sanitise.ts";
import { datesOf } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, cleanLine, firstEnclosure, line, names, toHtml } from "./values.ts";

type Entry = AtomFeed.Entry<string>;
type Text = Entry["title"] | Entry["content"];

export function fromAtom(atom: AtomFeed.Feed<string>, url: string): Feed {
  const base = absolute(atom.xml?.base, url) ?? url;
  return {
    title: titleOf(atom.title) ?? "",
    description: html(atom.subtitle),
    link: pageLinkOf(atom.links, base),
    imageUrl: absolute(atom.logo ?? atom.icon ?? atom.itunes?.image, base),
    movedTo: absolute(atom.itunes?.newFeedUrl, base),
    items: (atom.entries ?? []).map((entry) => fromEntry(entry, base)),
  };
}

function fromEntry(entry: Entry, feedBase: string): FeedItem {
  const base = absolute(entry.xml?.base, feedBase) ?? feedBase;
  const files = (entry.links ?? []).filter(({ rel }) => rel === "enclosure");
  const pictures = entry.media?.thumbnails ?? entry.media?.groups?.[0]?.thumbnails;
  return {
    guid: clean(entry.id),
    url: pageLinkOf(entry.links, base),
    title: titleOf(entry.title),
    html: html(entry.content),
    summary: html(entry.summary),
    ...datesOf(entry.published, entry.updated),
    categories: names((entry.categories ?? []).map(({ label, term }) => label ?? term)),
    imageUrl: absolute(pictures?.[0]?.url, base),
    enclosure: firstEnclosure(
      files.map(({ href, type, length }) => ({ url: href, type, length })),
      base,
    ),
  };
}

/** A link without a relation is the page. */
function pageLinkOf(links: Entry["links"], base: string): string | undefined {
  const pages = (links ?? []).filter(({ rel = "alternate" }) => rel === "alternate");
  const page = pages.find(({ type }) => type === undefined || type.includes("html")) ?? pages[0];
  return absolute(page?.href, base);
}

const HTML = /^(?:html|xhtml|text\/html|application\/xhtml\+xml)$/i;

/** Text with its angle brackets; other types are left out. */
function html(text: Text): string | undefined {
  const { value, type = "text" } = text ?? {};
  if (HTML.test(type)) return clean(value);
  return /^text(?:$|\/plain)/i.test(type) ? toHtml(clean(value)) : undefined;
}

function titleOf(text: Text): string | undefined {
  const { value, type = "text" } = text ?? {};
  return value !== undefined && HTML.test(type) ? cleanLine(plainText(sanitise(value))) : line(value);
}
