import type { Reply, World } from "./world.ts";

/** A page as its HTML says it, for tests that need no browser. */
export interface ReadPage extends Reply {
  title: string | undefined;
  h1: string | undefined;
  /** The main part, without tags. */
  words: string;
  /** Addresses of the links in the main part. */
  links: string[];
  isHidden: boolean;
  canonical: string | undefined;
  /** `<meta>` by name or property. */
  meta: Record<string, string>;
  /** schema.org, by type. */
  data: Record<string, Record<string, unknown>>;
  /** `<link rel="alternate">` */
  feeds: string[];
}

export async function readPage(
  world: World,
  url: string,
  asked: Parameters<World["get"]>[1] = {},
): Promise<ReadPage> {
  const reply = await world.get(url, asked);
  const main = /<main[^>]*>(.*)<\/main>/s.exec(reply.text)?.[1] ?? "";
  const meta = [...reply.text.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)];
  return {
    ...reply,
    title: first(reply.text, /<title>(.*?)<\/title>/s),
    h1: first(reply.text, /<h1[^>]*>(.*?)<\/h1>/s),
    words: plain(main),
    links: all(main, /<a [^>]*?href="([^"]*)"/g),
    isHidden: reply.text.includes('<meta name="robots" content="noindex"'),
    canonical: first(reply.text, /<link rel="canonical" href="([^"]*)"/),
    meta: Object.fromEntries(meta.map(([, name = "", content = ""]) => [name, unescaped(content)])),
    data: Object.fromEntries(dataOf(reply.text).map((each) => [String(each["@type"]), each])),
    feeds: all(reply.text, /<link rel="alternate" type="[^"]*" title="[^"]*" href="([^"]*)"/g),
  };
}

function dataOf(html: string): Record<string, unknown>[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...scripts].map(([, text = ""]) => JSON.parse(text) as Record<string, unknown>);
}

function first(html: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(html)?.[1];
  return found === undefined ? undefined : plain(found);
}

const all = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = ""]) => unescaped(value));

const plain = (html: string) => unescaped(html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).trim();

const unescaped = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
