import sanitizeHtml, { type Attributes, type Tag } from "sanitize-html";
import { DROPPED_WITH_CONTENT } from "../../content/text/allowed-html.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import { GUTTER } from "./code.ts";
import { BAR, MARKS } from "./marks.ts";

/** Deeper markup means nothing to a reader, and parsers recurse. */
const MAX_DEPTH = 100;

export const PLAYER = "inkstone-player";

const TAGS = `h1 h2 h3 h4 h5 h6 p div section article figure figcaption blockquote pre code kbd br hr a b strong i em
  del s strike ins mark sub sup ul ol li dl dt dd table caption thead tbody tfoot tr th td img input span`;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(/\s+/),
  // A link replaces a player, and pictures in noscript stay.
  nonTextTags: DROPPED_WITH_CONTENT.filter((tag) => !["iframe", "video", "audio", "noscript"].includes(tag)),
  nestingLimit: MAX_DEPTH,
  allowedAttributes: {
    a: ["href"],
    img: ["src", "alt"],
    ol: ["start"],
    input: ["type", "checked"],
    "*": ["class", "data-lang", "data-language", "data-enlighter-language"],
    th: ["align"],
    td: ["align", "data-line-number"],
    pre: ["lang"],
    code: ["lang"],
  },
  // The renderer of the Markdown sanitizes again.
  allowedSchemesAppliedToAttributes: [],
  parseStyleAttributes: false,
  // An empty address is none.
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && attribs["src"] === undefined,
};

interface Clean {
  html: string;
  /** Sentences, one for each part that is left out or becomes a link. */
  remarks: string[];
}

const LOST = "a link or picture is left out: its address can't be used";

/** The HTML of an item with absolute addresses only, well-formed, and without code and tracking pixels. */
export function cleanHtml(html: string, base: string | undefined): Clean {
  const remarks: string[] = [];
  const depths = new Map<string, number>();
  const move = (tag: string, by: number) => void depths.set(tag, (depths.get(tag) ?? 0) + by);
  const isIn = (tag: string) => (depths.get(tag) ?? 0) > 0;
  const absolute = (...given: string[]) => {
    const address = given.map((one) => absoluteOf(one, base)).find((one) => one !== undefined);
    if (address === undefined && given.some((one) => one.trim() !== "")) remarks.push(LOST);
    return address;
  };
  const withdraw = () => {
    if (remarks.includes(LOST)) remarks.splice(remarks.lastIndexOf(LOST), 1);
  };
  const pictures = eachOnce(absolute, withdraw);
  const clean = sanitizeHtml(html.replaceAll("\0", ""), {
    ...OPTIONS,
    onOpenTag: (tag) => move(tag, 1),
    onCloseTag: (tag) => move(tag, -1),
    textFilter: (text) => {
      if (isIn("noscript")) return "";
      if (text.trim() !== "") pictures.pass();
      const own = text.replaceAll(MARKS, "");
      return isIn("table") ? own.replaceAll("|", BAR) : own;
    },
    transformTags: {
      a: (tagName, { href = "", ...others }) => ({
        tagName,
        attribs: { ...others, href: absolute(href) ?? "" },
      }),
      img: (tagName, attribs) => {
        const src = isBeacon(attribs) ? undefined : pictures.addressOf(attribs, isIn("noscript"));
        return { tagName, attribs: { ...attribs, src: src ?? "" } };
      },
      ...Object.fromEntries(["iframe", "video", "audio"].map((tag) => [tag, toPlayer(absolute)])),
      picture: () => pictures.note({}),
      source: (tag, attribs) => (isIn("picture") ? pictures.note(attribs) : toPlayer(absolute)(tag, attribs)),
      script: fromScript(absolute, remarks),
      // Other spans mean nothing, and would divide texts.
      span: (tagName, attribs) => (GUTTER.test(attribs["class"] ?? "") ? { tagName, attribs } : UNWRAPPED),
      "*": (tagName, attribs) => (isIn("noscript") && tagName !== "img" ? UNWRAPPED : { tagName, attribs }),
    },
  });
  return { html: clean, remarks };
}

type Absolute = (...given: string[]) => string | undefined;

function isBeacon({ width, height }: Attributes): boolean {
  return [width, height].some((size) => size === "0" || size === "1");
}

const linkTo = (href: string) => ({ tagName: "a", attribs: { href, class: PLAYER } });

function toPlayer(absolute: Absolute): sanitizeHtml.Transformer {
  return (_tagName, attribs) => {
    const address = isBeacon(attribs) ? undefined : absolute(...sourcesOf(attribs));
    return address === undefined ? { tagName: "div", attribs: {} } : linkTo(address);
  };
}

function fromScript(absolute: Absolute, remarks: string[]): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const address = absolute(attribs["src"] ?? "");
    if (address === undefined) return { tagName, attribs: {} };
    const page = embeddedPage(address, attribs);
    const { host } = new URL(address);
    remarks.push(
      page === undefined ? `a script of ${host} is left out` : `an embed of ${host} becomes a link`,
    );
    return page === undefined ? { tagName, attribs: {} } : linkTo(page);
  };
}

/** A bar would end a cell of a table. */
function absoluteOf(address: string, base: string | undefined): string | undefined {
  const text = address.trim();
  const url = text === "" ? undefined : parseUrl(text, base);
  return url && ["http:", "https:", "mailto:"].includes(url.protocol)
    ? url.href.replaceAll("|", "%7C")
    : undefined;
}

/** A tag of which only the content stays. */
const UNWRAPPED: Tag = { tagName: "font", attribs: {} };

/** The attributes in which scripts that load media late find the address. */
const LATE = /^data-(?:(?:lazy-|original-|defer-|actual|cf|ez)?src|original|lazy-?(?:load)?|echo)$/;
const LATE_SET = /^data-(?:(?:lazy|original)-|ez)?srcset$/;
const CANDIDATE = /([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?/g;

/** The addresses of what an element shows, the best ones first. */
function sourcesOf(attribs: Attributes): string[] {
  const valuesOf = (names: RegExp) =>
    Object.entries(attribs).flatMap(([name, value]) => (names.test(name) ? value : []));
  const { src = "", srcset = "" } = attribs;
  const sources = [...valuesOf(LATE), ...valuesOf(LATE_SET).map(largest), src, largest(srcset)];
  return sources.filter((one) => one.trim() !== "");
}

function largest(set: string): string {
  const found = [...set.matchAll(CANDIDATE)].map(([, url = "", size = "1"]) => ({ url, size: Number(size) }));
  return found.toSorted((one, other) => other.size - one.size)[0]?.url ?? "";
}

/**
 * Gives pictures their addresses: each once, though one that is loaded late stands there again, in noscript, beside its
 * placeholder.
 * @param withdraw takes back that the last picture is lost
 */
function eachOnce(absolute: (...given: string[]) => string | undefined, withdraw: () => void) {
  let inherited: Attributes = {};
  let last: { address: string | undefined; isLate: boolean; isFallback: boolean } | undefined;
  return {
    /** The candidates of a picture element, for the image in it. */
    note(attribs: Attributes): Tag {
      inherited = attribs;
      return UNWRAPPED;
    },
    /** Text stands between two pictures. */
    pass(): void {
      last = undefined;
    },
    addressOf(attribs: Attributes, isFallback: boolean): string | undefined {
      const sources = sourcesOf({ ...inherited, ...attribs });
      const address = absolute(...sources);
      const now = { address, isLate: address === undefined || sources[0] !== attribs["src"], isFallback };
      const before = last;
      last = now;
      if (before === undefined || before.isFallback === isFallback) return address;
      if (before.address !== address && !(isFallback ? before : now).isLate) return address;
      last = undefined;
      if (before.address === undefined || address === undefined) withdraw();
      return before.address === undefined ? address : undefined;
    },
  };
}

/** The page of what a script of another site shows. */
const PAGE =
  /^https?:(\/\/(?:gist\.github\.com\/[^?#]+|asciinema\.org\/a\/[^?#]+|gitlab\.com\/[^?#]+\/snippets\/\d+)(?=\.js)|\/\/jsfiddle\.net\/[^?#]+?\/(?=embed))/i;
const LIBRARY = /(?:^|[/.])(?:widgets?|embedr?|sdk|min)\.js$/i;

/** The page to link to in place of a script; undefined for one that shows nothing where it stands. */
function embeddedPage(address: string, attribs: Attributes): string | undefined {
  const page = PAGE.exec(address)?.[1];
  if (page !== undefined) return `https:${page}`;
  const isElsewhere = "async" in attribs || "defer" in attribs || attribs["type"] === "module";
  return isElsewhere || LIBRARY.test(new URL(address).pathname) ? undefined : address;
}
