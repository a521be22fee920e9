import { MENTION } from "./mentions.ts";

/** Data of the site that a body is rendered with. */
export interface References {
  /** The address of this site, without a slash at its end; empty when it has none. */
  baseUrl: string;
  titles: ReadonlyMap<string, string>;
  /** The names among the mentioned ones that people and organizations have. */
  names: ReadonlySet<string>;
}

export const NO_REFERENCES: References = { baseUrl: "", titles: new Map(), names: new Set() };

/** At most this many of each are looked up for one body. */
const MAX_PATHS = 20;
const MAX_NAMES = 50;

const TAG = /\{%-?\s*(?:link|post|embed)\s+([^\s%]{1,500})/g;
const ARTICLE_PATH = /^\/?([a-z0-9_]{2,30}\/[a-z0-9_-]{1,200})\/?(?:[?#]\S*)?$/i;

/** The paths of articles and the usernames that a body may refer to. Some may stand in code. */
export function candidatesIn(markdown: string, baseUrl: string): { paths: string[]; names: string[] } {
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [, address = ""] of markdown.matchAll(TAG)) add(paths, articlePath(address, baseUrl), MAX_PATHS);
  for (const address of addressesIn(markdown, baseUrl)) add(paths, articlePath(address, baseUrl), MAX_PATHS);
  for (const [, name] of markdown.matchAll(MENTION)) add(names, name?.toLowerCase(), MAX_NAMES);
  return { paths: [...paths], names: [...names] };
}

function* addressesIn(markdown: string, baseUrl: string): Generator<string> {
  if (baseUrl === "") return;
  for (let at = markdown.indexOf(baseUrl); at >= 0; at = markdown.indexOf(baseUrl, at + 1)) {
    yield /^[^\s<>)]*/.exec(markdown.slice(at, at + 500))?.[0] ?? "";
  }
}

function add(to: Set<string>, item: string | undefined, limit: number): void {
  if (item !== undefined && to.size < limit) to.add(item);
}

/** The path of an article of this site, in lower case, given as an address or a path. */
export function articlePath(address: string, baseUrl: string): string | undefined {
  const path = ARTICLE_PATH.exec(pathHere(address, baseUrl))?.[1];
  return path && `/${path.toLowerCase()}`;
}

/** The path of an address of this site; other texts as they are. */
export function pathHere(address: string, baseUrl: string): string {
  const isHere = baseUrl !== "" && address.toLowerCase().startsWith(`${baseUrl.toLowerCase()}/`);
  return isHere ? address.slice(baseUrl.length) : address;
}
