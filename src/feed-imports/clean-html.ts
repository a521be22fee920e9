import sanitizeHtml from "sanitize-html";
import { DROPPED_WITH_CONTENT } from "../text/allowed-html.ts";
import { parseUrl } from "../text/urls.ts";

type Attributes = sanitizeHtml.Attributes;

/** Deeper markup means nothing to a reader, and whoever walks it recurses. */
const MAX_DEPTH = 100;

/** Stands for a bar in a table, where Markdown would take it for the end of a cell: of no script, and in no text. */
export const BAR = "\u{f8fd0}";

/** Marks the link that stands in place of a player. */
export const PLAYER = "inkstone-player";

const TAGS = `h1 h2 h3 h4 h5 h6 p div section article figure figcaption blockquote pre code kbd br hr a b strong i em
  del s strike ins mark sub sup ul ol li dl dt dd table caption thead tbody tfoot tr th td img iframe video audio
  source input`;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(/\s+/),
  // A player is replaced by a link to what it plays.
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
  // Whatever is kept is judged again when the Markdown is rendered.
  allowedSchemesAppliedToAttributes: [],
  parseStyleAttributes: false,
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && attribs["src"] === undefined,
};

/**
 * What is worth keeping of an item's HTML, as a small and well-formed document in which all addresses are absolute:
 * neither code nor pictures that only count their readers.
 */
export function cleanHtml(html: string, base: string | undefined): string {
  let tables = 0;
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
      a: (tagName, attribs) => ({ tagName, attribs: pick(attribs, "href", base) }),
      img: (tagName, attribs) => ({ tagName, attribs: isBeacon(attribs) ? {} : pick(attribs, "src", base) }),
      ...Object.fromEntries(["iframe", "video", "audio", "source"].map((tag) => [tag, toLink(base)])),
    },
  });
}

/** A picture of one dot. */
function isBeacon({ width, height }: Attributes): boolean {
  return [width, height].some((size) => size === "0" || size === "1");
}

/** The attributes with this address made absolute, or without it where it leads nowhere. */
function pick(attribs: Attributes, name: "href" | "src", base: string | undefined): Attributes {
  const { [name]: given = "", ...others } = attribs;
  const address = absolute(given, base);
  return address === undefined ? others : { ...others, [name]: address };
}

function toLink(base: string | undefined): sanitizeHtml.Transformer {
  return (_tagName, attribs) => {
    const address = absolute(attribs["src"] ?? "", base);
    if (address === undefined) return { tagName: "div", attribs: {} };
    return { tagName: "a", attribs: { href: address, class: PLAYER } };
  };
}

function absolute(address: string, base: string | undefined): string | undefined {
  const text = address.trim();
  const url = text === "" ? undefined : parseUrl(text, base);
  return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : undefined;
}
