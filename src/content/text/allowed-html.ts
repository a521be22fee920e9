import { isOfKind } from "./embeds/cards.ts";
import { parseUrl } from "../../platform/text/urls.ts";

/**
 * Other tags are dropped, and their text is kept. The most frequent come first, because the sanitiser searches from
 * the beginning.
 */
export const ALLOWED_TAGS = words(`
  td tr li p span a code em strong br ul ol img
  h1 h2 h3 h4 h5 h6 div center blockquote pre kbd samp var hr wbr
  b i u s strike del ins mark small sub sup big tt abbr cite q dfn time bdi bdo ruby rt rp
  dl dt dd table caption colgroup col thead tbody tfoot th
  figure figcaption details summary`);

/** Elements whose content is no text for readers, and is dropped too. */
export const DROPPED_WITH_CONTENT = words(`
  script style textarea option select xmp iframe noscript noembed noframes plaintext template title
  object embed applet svg math audio video canvas frameset`);

const ALIGN = /^(?:left|right|center|justify)$/i;
const SPAN = /^\d{1,3}$/;
const ANYTHING = /^/;

/** The allowed values by tag and attribute. They are maps, because names are arbitrary. */
const PATTERNS = new Map<string, ReadonlyMap<string, RegExp>>();
allow("h1 h2 h3 h4 h5 h6 p div table tr", { align: ALIGN });
allow("img", {
  alt: ANYTHING,
  width: /^\d{1,5}%?$/,
  height: /^\d{1,5}%?$/,
  align: /^(?:left|right|middle)$/i,
});
allow("ol", { start: /^-?\d{1,9}$/, type: /^[1aAiI]$/, reversed: ANYTHING });
allow("li", { value: /^-?\d{1,9}$/ });
allow("details", { open: ANYTHING });
allow("time", { datetime: /^[\w:.+ -]{1,40}$/ });
allow("colgroup col", { span: SPAN });
allow("td", { align: ALIGN, colspan: SPAN, rowspan: SPAN });
allow("th", { align: ALIGN, colspan: SPAN, rowspan: SPAN, scope: /^(?:row|col|rowgroup|colgroup)$/i });

const ON_EVERY_TAG: ReadonlyMap<string, RegExp> = new Map([
  ["id", /^h-[\p{L}\p{N}\p{M}_-]{1,100}$/u],
  ["title", ANYTHING],
  ["lang", /^[A-Za-z0-9-]{1,35}$/],
  ["dir", /^(?:ltr|rtl|auto)$/i],
]);

const CODE_CLASS = /^(?:hljs(?:-[a-z0-9_-]+)?|language-[a-z0-9_+#.-]+)$/i;
/** The classes that the site styles, by tag; beside them a link may be a card. */
const CLASSES = new Map<string, RegExp>([
  ["pre", CODE_CLASS],
  ["code", CODE_CLASS],
  ["span", CODE_CLASS],
  ["a", /^(?:cta|footnote-back)$/],
  ["sup", /^footnote-ref$/],
  ["ol", /^footnotes$/],
  ["li", /^task$/],
  ["div", /^card$/],
]);
const CARD = /(?:^|\s)embed-([a-z]{1,30})(?:\s|$)/;

export const ALLOWED_ATTRIBUTES = [
  "href",
  "rel",
  "src",
  "class",
  ...ON_EVERY_TAG.keys(),
  ...[...PATTERNS.values()].flatMap((patterns) => [...patterns.keys()]),
];

export function isAllowedAttribute(tag: string, name: string, value: string): boolean {
  const pattern = PATTERNS.get(tag)?.get(name) ?? ON_EVERY_TAG.get(name);
  return pattern?.test(value) ?? false;
}

/** A card's class stays on links of its kind only. */
export function allowedClasses(tag: string, value: string, href: string): string {
  const pattern = CLASSES.get(tag);
  if (!pattern || value === "") return "";
  const kind = tag === "a" ? CARD.exec(value)?.[1] : undefined;
  const card = kind !== undefined && isOfKind(kind, href) ? ["embed", `embed-${kind}`] : [];
  return [...card, ...value.split(/\s+/).filter((name) => pattern.test(name))].join(" ");
}

function allow(tags: string, patterns: Record<string, RegExp>): void {
  for (const tag of words(tags)) PATTERNS.set(tag, new Map(Object.entries(patterns)));
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const HERE = "https://here.invalid";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const LINK_SCHEMES = new Set(["http:", "https:", "mailto:"]);
const IMAGE_SCHEMES = new Set(["http:", "https:"]);

/** http, https, mailto or relative; else undefined. */
export function linkTarget(text: string): string | undefined {
  const address = text.trim();
  return LINK_SCHEMES.has(resolve(address)?.protocol ?? "") ? address : undefined;
}

/** http, https or a path from the root; else undefined. */
export function imageSource(text: string): string | undefined {
  const address = text.trim();
  if (!SCHEME.test(address) && !/^[/\\]/.test(address)) return undefined;
  return IMAGE_SCHEMES.has(resolve(address)?.protocol ?? "") ? address : undefined;
}

/** A full address always counts as outbound. */
export function isOutbound(address: string): boolean {
  const url = resolve(address);
  if (url === undefined || url.protocol === "mailto:") return false;
  return SCHEME.test(address) || url.origin !== HERE;
}

/** Resolves an address as browsers do. They drop control characters, and so read another scheme: these are refused. */
function resolve(address: string): URL | undefined {
  if (address === "" || /\p{Cc}/u.test(address)) return undefined;
  return parseUrl(address, SCHEME.test(address) ? undefined : HERE);
}
