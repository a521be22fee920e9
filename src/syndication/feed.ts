import { element, type Xml } from "../text/xml.ts";

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
  /** Undefined for a long body. */
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

/** An enclosure would need the number of bytes. */
export function pictureOf(url: string | undefined): Xml | undefined {
  return url === undefined ? undefined : element("media:content", { url, medium: "image" });
}
