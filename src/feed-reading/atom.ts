import type { AtomFeed } from "feedsmith";
import { readDate } from "./dates.ts";
import type { Feed, FeedItem } from "./feed.ts";
import { absolute, clean, cleanLine, escapeHtml, natural } from "./values.ts";

type Atom = AtomFeed.Feed<string>;
type Entry = AtomFeed.Entry<string>;

export function fromAtom(atom: Atom, url: string): Feed {
  const link = absolute(linkOf(atom.links, "alternate"), url);
  const author = cleanLine(atom.authors?.[0]?.name);
  return {
    format: "atom",
    title: cleanLine(atom.title?.value) ?? "",
    description: clean(atom.subtitle?.value),
    link,
    imageUrl: absolute(atom.logo ?? atom.icon ?? atom.itunes?.image, url),
    author: author ?? cleanLine(atom.itunes?.author),
    language: cleanLine(atom.xml?.lang),
    movedTo: absolute(atom.itunes?.newFeedUrl, url),
    items: (atom.entries ?? []).map((entry) =>
      fromEntry(entry, absolute(atom.xml?.base, url) ?? url, author),
    ),
  };
}

function fromEntry(entry: Entry, base: string, feedAuthor: string | undefined): FeedItem {
  const enclosure = entry.links?.find(({ rel }) => rel === "enclosure");
  const url = absolute(enclosure?.href, base);
  return {
    guid: clean(entry.id),
    url: absolute(linkOf(entry.links, "alternate"), base),
    title: cleanLine(entry.title?.value),
    html: html(entry.content),
    summary: html(entry.summary),
    author: cleanLine(entry.authors?.[0]?.name) ?? feedAuthor,
    publishedAt: readDate(entry.published ?? entry.updated),
    updatedAt: readDate(entry.updated),
    categories: [
      ...new Set(
        (entry.categories ?? [])
          .map(({ label, term }) => cleanLine(label ?? term))
          .filter((name) => name !== undefined),
      ),
    ],
    imageUrl: absolute(entry.media?.thumbnails?.[0]?.url, base),
    enclosure:
      url === undefined
        ? undefined
        : {
            url,
            type: cleanLine(enclosure?.type),
            length: natural(enclosure?.length, Number.MAX_SAFE_INTEGER),
          },
  };
}

/** A link without a relation is one to the same thing for people. */
function linkOf(links: Atom["links"], relation: string): string | undefined {
  const all = (links ?? []).filter(({ rel = "alternate" }) => rel === relation);
  return (all.find(({ type }) => type === undefined || type.includes("html")) ?? all[0])?.href;
}

/** Text that is no HTML is made such, so that its angle brackets are shown. */
function html(text: Entry["summary"] | Entry["content"]): string | undefined {
  const value = clean(text?.value);
  const type = text?.type ?? "text";
  return value !== undefined && type === "text" ? escapeHtml(value) : value;
}
