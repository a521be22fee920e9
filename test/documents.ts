import { SaxesParser } from "saxes";
import { expect } from "vitest";
import { BASE_URL, type Reply, type World } from "./world.ts";

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
    links: matches(main, /<a [^>]*?href="([^"]*)"/g),
    isHidden: reply.text.includes('<meta name="robots" content="noindex"'),
    canonical: first(reply.text, /<link rel="canonical" href="([^"]*)"/),
    meta: Object.fromEntries(meta.map(([, name = "", content = ""]) => [name, unescaped(content)])),
    data: Object.fromEntries(dataOf(reply.text).map((each) => [String(each["@type"]), each])),
    feeds: matches(reply.text, /<link rel="alternate" type="[^"]*" title="[^"]*" href="([^"]*)"/g),
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

const matches = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = ""]) => unescaped(value));

const plain = (html: string) => unescaped(html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).trim();

const unescaped = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

export interface JsonFeed {
  [name: string]: unknown;
  items: Record<string, unknown>[];
}

/** Asks a world for feeds in each of their formats. */
export function feedsOf(world: World) {
  const rss = async (url: string) => all(parseXml((await world.get(url)).text), "channel")[0] as XmlElement;
  const atom = async (url: string) => parseXml((await world.get(url)).text);
  const json = async (url: string) => (await world.get(url)).body as JsonFeed;

  /** The titles of what each format shows, which are the same. */
  async function titles(path: string, query = ""): Promise<unknown[]> {
    const ofRss = all(await rss(path + query), "item").map((item) => textOf(item, "title"));
    const ofAtom = all(await atom(`${path}.atom${query}`), "entry").map((entry) => textOf(entry, "title"));
    const ofJson = (await json(`${path}.json${query}`)).items.map(({ title }) => title);
    expect(ofAtom).toEqual(ofRss);
    expect(ofJson).toEqual(ofRss);
    return ofRss;
  }

  return { rss, atom, json, titles };
}

/** Puts a few people, an organization, tags and articles into a world; gives the number of the person who wrote most. */
export async function fill(world: World): Promise<{ lenaId: number }> {
  const lena = await world.user({ username: "lena", name: "Lena Ortiz", summary: "I grow things." });
  const omar = await world.user({ username: "omar", name: "Omar <&> Sons" });
  await world.user({ username: "quiet", name: "Quiet" });
  await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
  await world.tag({ name: "gardening" });
  await world.tag({ name: "garden", alias_for: "gardening" });
  await world.tag({ name: "unused" });
  await world.article(lena, {
    slug: "tomatoes-1a",
    title: "Tomatoes & <b>basil</b>",
    description: "Less < more",
    body_markdown: "Some *words*, [a link](/lena/other#end) and ![leaf](/uploads/leaf.png).\n\n> ]]>",
    tags: ["gardening", "día"],
    main_image: "https://pictures.example/a.png?b=1&c=2",
    published_at: "2026-03-02T09:15:00Z",
    edited_at: "2026-03-03T10:00:00Z",
  });
  await world.article(omar, { slug: "looms-2b", title: "Looms", published_at: "2026-03-05T09:15:00Z" });
  await world.article(lena, {
    slug: "warp-3c",
    title: "Warp",
    organization: "tinkerlab",
    published_at: "2026-03-04T09:15:00Z",
  });
  await world.article(lena, { slug: "secret-4d", title: "Secret", published: false });
  return { lenaId: lena.id };
}

/** Each address of a sitemap or an index with when it was changed. */
export async function addressesIn(
  world: World,
  url: string,
): Promise<(readonly [string, string | undefined])[]> {
  const { status, text, headers } = await world.get(url);
  expect([url, status, headers["content-type"]]).toEqual([url, 200, "application/xml; charset=utf-8"]);
  const root = parseXml(text);
  expect(root.attributes["xmlns"]).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
  return root.children.map((child) => {
    const address = textOf(child, "loc") ?? "";
    expect(address.startsWith(`${BASE_URL}/`)).toBe(true);
    return [address.slice(BASE_URL.length), textOf(child, "lastmod")] as const;
  });
}

/** An element of an XML document, its names as they are written. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Without the text of its children. */
  text: string;
}

/** Reads a document by the letter of XML 1.0 and its namespaces. */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true, position: true });
  const addText = (text: string) => {
    (open.at(-1) as XmlElement).text += text;
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const);
    const element = { name, attributes: Object.fromEntries(values), children: [], text: "" };
    (open.at(-1) as XmlElement).children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(document).close();
  return root.children[0] as XmlElement;
}

/** The children of this name. */
export function all({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The text of the first child of this name; undefined when there is none. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return all(element, name)[0]?.text;
}
