import { element, type Xml } from "../text/xml.ts";

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
