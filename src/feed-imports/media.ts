import type { Attributes, Tag } from "sanitize-html";

/** A tag of which only the content stays. */
export const UNWRAPPED: Tag = { tagName: "font", attribs: {} };

/** The attributes in which scripts that load media late find the address. */
const LATE = /^data-(?:(?:lazy-|original-|defer-|actual|cf|ez)?src|original|lazy-?(?:load)?|echo)$/;
const LATE_SET = /^data-(?:(?:lazy|original)-|ez)?srcset$/;
const CANDIDATE = /([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?/g;

/** The addresses of what an element shows, the best ones first. */
export function sourcesOf(attribs: Attributes): string[] {
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
export function eachOnce(absolute: (...given: string[]) => string | undefined, withdraw: () => void) {
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
export function embeddedPage(address: string, attribs: Attributes): string | undefined {
  const page = PAGE.exec(address)?.[1];
  if (page !== undefined) return `https:${page}`;
  const isElsewhere = "async" in attribs || "defer" in attribs || attribs["type"] === "module";
  return isElsewhere || LIBRARY.test(new URL(address).pathname) ? undefined : address;
}
