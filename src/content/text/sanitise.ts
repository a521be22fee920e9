import sanitizeHtml from "sanitize-html";
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  allowedClasses,
  DROPPED_WITH_CONTENT,
  imageSource,
  isAllowedAttribute,
  isOutbound,
  linkTarget,
} from "./allowed-html.ts";

type Attributes = sanitizeHtml.Attributes;

/** Deeper markup is an attack on browsers. */
const MAX_DEPTH = 100;

/**
 * Allows only known tags, attributes and addresses. The text of other tags stays; code and embedded documents go with
 * their content; an image without an address leaves its description. Links to other hosts do not vouch for them.
 * Idempotent.
 */
export function sanitise(html: string): string {
  const first = passOver(html.replaceAll("\0", ""));
  // The neighbours of a dropped tag may read otherwise now.
  return first.hasDropped ? passOver(first.html).html : first.html;
}

function passOver(html: string): { html: string; hasDropped: boolean } {
  const seenIds = new Set<string>();
  let hasDropped = false;
  let depth = 0;
  const clean = sanitizeHtml(html, {
    ...OPTIONS,
    onOpenTag: (name) => {
      if (++depth > MAX_DEPTH || !ALLOWED.has(name)) hasDropped = true;
    },
    onCloseTag: () => {
      depth--;
    },
    transformTags: {
      img: describeMissingImage,
      "*": (tagName, attributes) => ({ tagName, attribs: cleanAttributes(tagName, attributes, seenIds) }),
    },
  });
  return { html: clean, hasDropped };
}

const ALLOWED: ReadonlySet<string> = new Set(ALLOWED_TAGS);
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  nonTextTags: DROPPED_WITH_CONTENT,
  nestingLimit: MAX_DEPTH,
  allowedAttributes: { "*": ALLOWED_ATTRIBUTES },
  // The transformation checks addresses, as browsers read them.
  allowedSchemesAppliedToAttributes: [],
  parseStyleAttributes: false,
};

function describeMissingImage(tagName: string, attribs: Attributes): sanitizeHtml.Tag {
  if (imageSource(attribs["src"] ?? "") !== undefined) return { tagName, attribs };
  return { tagName: "span", attribs: {}, text: attribs["alt"] ?? "" };
}

function cleanAttributes(tag: string, given: Attributes, seenIds: Set<string>): Attributes {
  const clean: Attributes = {};
  for (const [name, value] of Object.entries(given)) {
    if (isAllowedAttribute(tag, name, value)) clean[name] = value;
  }
  const { id } = clean;
  if (id !== undefined && seenIds.has(id)) delete clean["id"];
  if (id !== undefined) seenIds.add(id);

  const address = addressOf(tag, given);
  const classes = allowedClasses(tag, given["class"] ?? "", address["href"] ?? "");
  if (classes !== "") clean["class"] = classes;
  return { ...clean, ...address };
}

function addressOf(tag: string, given: Attributes): Attributes {
  if (tag === "img") {
    const src = imageSource(given["src"] ?? "");
    return src === undefined ? {} : { src };
  }
  const href = tag === "a" ? linkTarget(given["href"] ?? "") : undefined;
  if (href === undefined) return {};
  return isOutbound(href) ? { href, rel: "nofollow ugc noopener" } : { href };
}
