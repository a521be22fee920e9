import { unescape } from "./plain-text.ts";
import { parseUrl } from "../../platform/text/urls.ts";

const TAG_WITH_ADDRESS = /<(?:a|img)\s[^>]*>/g;
/** An attribute from its name to its end, so that nothing in a value looks like one. */
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Resolves addresses against `base`. @param html output of `sanitise`, which quotes values */
export function absoluteHtml(html: string, base: string): string {
  const { origin } = new URL(base);
  return html.replaceAll(TAG_WITH_ADDRESS, (tag) =>
    tag.replaceAll(ATTRIBUTE, (attribute, name: string, value: string) =>
      name === "href" || name === "src" ? `${name}="${absolute(value, base, origin)}"` : attribute,
    ),
  );
}

/** Most addresses are of this kind. */
const FROM_ROOT = /^\/(?![/\\])/;

function absolute(value: string, base: string, origin: string): string {
  if (SCHEME.test(value)) return value;
  if (FROM_ROOT.test(value)) return origin + value;
  return parseUrl(unescape(value), base)?.href.replaceAll("&", "&amp;") ?? value;
}
