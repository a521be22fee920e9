import sanitizeHtml from "sanitize-html";
import { DROPPED_WITH_CONTENT } from "../text/allowed-html.ts";
import { parseUrl } from "../text/urls.ts";

type Attributes = sanitizeHtml.Attributes;

/** Deeper markup means nothing to a reader, and parsers recurse. */
const MAX_DEPTH = 100;

/** A private character for a bar in a table, which would end a cell in Markdown. */
export const BAR = "\u{f8fd0}";

/** The class of a link that replaces a player. */
export const PLAYER = "inkstone-player";

const TAGS = `h1 h2 h3 h4 h5 h6 p div section article figure figcaption blockquote pre code kbd br hr a b strong i em
  del s strike ins mark sub sup ul ol li dl dt dd table caption thead tbody tfoot tr th td img iframe video audio
  source input`;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(/\s+/),
  // A link replaces a player.
  nonTextTags: DROPPED_WITH_CONTENT.filter((tag) => !["iframe", "video", "audio"].includes(tag)),
  nestingLimit: MAX_DEPTH,
  allowedAttributes: {
    a: ["href"],
    img: ["src", "alt"],
    ol: ["start"],
    input: ["type", "checked"],
    "*": ["class"],
    ...Object.fromEntries(["th", "td"].map((tag) => [tag, ["align"]])),
  },
  // The renderer of the Markdown sanitizes again.
  allowedSchemesAppliedToAttributes: [],
  parseStyleAttributes: false,
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && attribs["src"] === undefined,
};

/**
 * The HTML of an item with absolute addresses only, well-formed, and without code and tracking pixels.
 * @param onLost gets each address that can't be used
 */
export function cleanHtml(
  html: string,
  base: string | undefined,
  onLost: (address: string) => void = () => {},
): string {
  let tables = 0;
  const absolute = (given: string) => {
    const address = absoluteOf(given, base);
    if (address === undefined && given.trim() !== "") onLost(given);
    return address;
  };
  return sanitizeHtml(html.replaceAll("\0", "").replaceAll(BAR, ""), {
    ...OPTIONS,
    onOpenTag: (name) => {
      if (name === "table") tables += 1;
    },
    onCloseTag: (name) => {
      if (name === "table") tables -= 1;
    },
    textFilter: (text) => (tables > 0 ? text.replaceAll("|", BAR) : text),
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: pick(attribs, "href", absolute) }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: isBeacon(attribs) ? {} : pick(attribs, "src", absolute),
      }),
      ...Object.fromEntries(["iframe", "video", "audio", "source"].map((tag) => [tag, toLink(absolute)])),
    },
  });
}

type Absolute = (address: string) => string | undefined;

function isBeacon({ width, height }: Attributes): boolean {
  return [width, height].some((size) => size === "0" || size === "1");
}

/** The attributes with an absolute address, or without one that can't be used. */
function pick(attribs: Attributes, name: "href" | "src", absolute: Absolute): Attributes {
  const { [name]: given = "", ...others } = attribs;
  const address = absolute(given);
  return address === undefined ? others : { ...others, [name]: address };
}

function toLink(absolute: Absolute): sanitizeHtml.Transformer {
  return (_tagName, attribs) => {
    const address = absolute(attribs["src"] ?? "");
    if (address === undefined) return { tagName: "div", attribs: {} };
    return { tagName: "a", attribs: { href: address, class: PLAYER } };
  };
}

function absoluteOf(address: string, base: string | undefined): string | undefined {
  const text = address.trim();
  const url = text === "" ? undefined : parseUrl(text, base);
  return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : undefined;
}
