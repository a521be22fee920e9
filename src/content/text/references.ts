export interface References {
  /** Has no slash at its end; empty for none. */
  baseUrl: string;
  titles: ReadonlyMap<string, string>;
  names: ReadonlySet<string>;
}

export const NO_REFERENCES: References = { baseUrl: "", titles: new Map(), names: new Set() };

/** The most articles and names that one body can refer to. */
const MAX_PATHS = 20;
const MAX_NAMES = 50;

const TAG = /\{%-?\s*(?:link|post|embed)\s+([^\s%]{1,500})/g;
const ARTICLE_PATH = /^\/?([a-z0-9_]{2,30}\/[a-z0-9_-]{1,200})\/?(?:[?#]\S*)?$/i;

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

/** The path of the article that an address or a path names, in lower case. */
export function articlePath(address: string, baseUrl: string): string | undefined {
  const path = ARTICLE_PATH.exec(pathHere(address, baseUrl))?.[1];
  return path && `/${path.toLowerCase()}`;
}

/** Other texts are returned unchanged. */
export function pathHere(address: string, baseUrl: string): string {
  const isHere = baseUrl !== "" && address.toLowerCase().startsWith(`${baseUrl.toLowerCase()}/`);
  return isHere ? address.slice(baseUrl.length) : address;
}

/** No address (`lena@example.com`, `@lena@example.com`) and no package (`@scope/name`). */
export const MENTION = /(?<![\w@/.])@(\w{2,30})(?![\w@]|[/.-]\w)/gu;

/** Code, and links elsewhere than to the mentioned person. */
const SILENT =
  /<(pre|code)\b[^>]*>[\s\S]*?<\/\1>|<a\b[^>]*>(?!@\w{2,30}<\/a>)[^<]*(?:<(?!\/?a\b)[^<]*)*<\/a>/g;

/** Lower-case usernames, each once, in order; they may not exist. Only for output of `sanitise`. */
export function mentionsIn(html: string): string[] {
  const text = html.replaceAll(SILENT, " ").replaceAll(/<[^>]*>/g, " ");
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(MENTION)) names.add(name.toLowerCase());
  return [...names];
}
