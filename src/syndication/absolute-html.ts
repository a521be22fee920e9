import { parseUrl } from "../text/urls.ts";
const TAG_WITH_ADDRESS = /<(?:a|img)\s[^>]*>/g;
/** Each attribute from its name to its end, so that nothing in a value is taken for another attribute. */
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/**
 * Makes the addresses of links and images absolute, as on the page at `base`. Only for output of `sanitise`,
 * whose values are quoted and hold no bare quotes or angle brackets.
 */
export function absoluteHtml(html: string, base: string): string {
  const { origin } = new URL(base);
  return html.replaceAll(TAG_WITH_ADDRESS, (tag) =>
    tag.replaceAll(ATTRIBUTE, (attribute, name: string, value: string) =>
      name === "href" || name === "src" ? `${name}="${absolute(value, base, origin)}"` : attribute,
    ),
  );
}

/** A path from the root of the site: by far the most addresses. */
const FROM_ROOT = /^\/(?![/\\])/;

function absolute(value: string, base: string, origin: string): string {
  if (SCHEME.test(value)) return value;
  if (FROM_ROOT.test(value)) return origin + value;
  const address = value.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
  return parseUrl(address, base)?.href.replaceAll("&", "&amp;") ?? value;
}
