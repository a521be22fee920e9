import { element, type Xml } from "../text/xml.ts";

/** A feed before it is written in one of its formats. All texts are plain, but for the HTML of entries. */
export interface Feed {
  title: string;
  description: string;
  /** The same whatever the format and the part. */
  id: string;
  /** The page whose articles these are. */
  page: string;
  /** The address of this feed. */
  self: string;
  /** Where it begins, for a part that is behind. */
  first: string | undefined;
  /** Where older articles are. */
  next: string | undefined;
  language: string | undefined;
  picture: string | undefined;
  /** When anything in it was last changed; undefined when nothing is in it. */
  updatedAt: Date | undefined;
  entries: Entry[];
}

export interface Entry {
  /** Never changes, also not when the article moves. */
  id: string;
  url: string;
  title: string;
  summary: string;
  /** Undefined for what is too long to be shown whole. */
  html: string | undefined;
  author: { name: string; url: string; picture: string };
  tags: readonly string[];
  cover: string | undefined;
  publishedAt: Date;
  updatedAt: Date;
}

/** What RSS and Atom have in common. */
export const GENERATOR = "Inkstone";

/** A link to this feed or another part of it, if there is one. */
export function feedLink(name: string, rel: string, href: string | undefined, type: string): Xml | undefined {
  return href === undefined ? undefined : element(name, { rel, type, href });
}

/** A picture by its address alone: an enclosure would have to say how many bytes it has. */
export function pictureOf(url: string | undefined): Xml | undefined {
  return url === undefined ? undefined : element("media:content", { url, medium: "image" });
}
