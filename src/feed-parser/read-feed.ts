import { parseAtomFeed, parseJsonFeed, parseRdfFeed, parseRssFeed } from "feedsmith";
import { fromAtom } from "./atom.ts";
import { decode } from "./decode.ts";
import { type Document, recognise } from "./document.ts";
import { type Feed, FeedProblem } from "./feed.ts";
import { fromJson } from "./json.ts";
import { fromRdf, fromRss } from "./rss.ts";

const OPTIONS = { maxItems: 10_000 };

export function readFeed(bytes: Uint8Array, contentType: string | undefined, url: string): Feed {
  const document = recognise(decode(bytes, contentType));
  const feed = attempt(document, url);
  if (feed === undefined) throw new FeedProblem(FAULTS[document.kind]);
  return feed;
}

const FAULTS: Record<Document["kind"], string> = {
  rss: "The feed is broken: it is not valid RSS.",
  atom: "The feed is broken: it is not valid Atom.",
  rdf: "The feed is broken: it is not valid RSS 1.0.",
  json: "What is there is JSON, but no JSON Feed.",
};

function attempt({ kind, text }: Document, url: string): Feed | undefined {
  try {
    return convert(kind, text, url);
  } catch (error) {
    if (isTooDeep(error)) throw new FeedProblem("The feed is nested too deeply.");
    // The parser fails on bad texts only.
    return undefined;
  }
}

function convert(kind: Document["kind"], text: string, url: string): Feed {
  if (kind === "rss") return fromRss(parseRssFeed(bareDurations(text), OPTIONS), url);
  if (kind === "atom") return fromAtom(parseAtomFeed(text, OPTIONS), url);
  if (kind === "rdf") return fromRdf(parseRdfFeed(text, OPTIONS), url);
  return fromJson(parseJsonFeed(text, OPTIONS), url);
}

const DURATION =
  /(<itunes:duration>)\s{0,100}(?:<!\[CDATA\[\s{0,100})?([\d:.]{1,20})\s{0,100}(?:\]\]>\s{0,100})?(?=<)/gi;

/** The parser knows a duration only without spaces around it. */
function bareDurations(text: string): string {
  return text.replaceAll(DURATION, "$1$2");
}

function isTooDeep(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof RangeError || /nested tags/i.test(error.message) || isTooDeep(error.cause);
}
