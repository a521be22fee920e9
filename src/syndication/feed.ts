import { element, type Xml } from "../text/xml.ts";

/** A feed in no format yet. All texts are plain, except the HTML of entries. */
export interface Feed {
  title: string;
  description: string;
  /** The same in every format and part. */
  id: string;
  page: string;
  self: string;
  /** The first part, for a later one. */
  first: string | undefined;
  next: string | undefined;
  language: string | undefined;
  picture: string | undefined;
  /** When anything in it was last changed; undefined when nothing is in it. */
  updatedAt: Date | undefined;
  entries: Entry[];
}

export interface Entry {
  /** Stays the same even if the article moves. */
  id: string;
  url: string;
  title: string;
  summary: string;
  /** Undefined for a body that is too long. */
  html: string | undefined;
  author: { name: string; url: string; picture: string };
  tags: readonly string[];
  cover: string | undefined;
  publishedAt: Date;
  updatedAt: Date;
}

export const GENERATOR = "Inkstone";

export function feedLink(name: string, rel: string, href: string | undefined, type: string): Xml | undefined {
  return href === undefined ? undefined : element(name, { rel, type, href });
}

/** A picture by its address alone: an enclosure would have to say how many bytes it has. */
export function pictureOf(url: string | undefined): Xml | undefined {
  return url === undefined ? undefined : element("media:content", { url, medium: "image" });
}
