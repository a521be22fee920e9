import type { Db } from "../db/connect.ts";
import { HOME, pathUnder, profilePath, tagPath } from "../paths.ts";
import { timestamp } from "../text/dates.ts";
import { DECLARATION, element } from "../text/xml.ts";
import * as queries from "./queries.ts";

type Kind = queries.Kind;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** The limit of a file (sitemaps.org), and the range of ids of a part. */
const SIZE = 50_000;
const BATCH = 1_000;

const KINDS: readonly Kind[] = ["articles", "people", "organizations", "tags"];

interface Site {
  db: Db;
  baseUrl: string;
  now: () => Date;
}

export interface Sitemap {
  /** Known without making the text. */
  version: string;
  pieces(): AsyncGenerator<string> | Generator<string>;
}

/** Or an index of parts if there are too many. */
export async function whole(site: Site): Promise<Sitemap> {
  // One address is that of the front page.
  const isSmall = (await queries.highestSum(site.db)) < SIZE;
  return isSmall ? everything(site) : index(site);
}

async function everything(site: Site): Promise<Sitemap> {
  const range = { after: 0, upTo: SIZE, now: site.now() };
  const digests = [];
  for (const kind of KINDS) digests.push(await queries.digest(site.db, kind, range));
  return {
    version: versionOf(site, digests),
    async *pieces() {
      yield START + frontPage(site);
      for (const kind of KINDS) yield* addresses(site, kind, range);
      yield END;
    },
  };
}

const FRONT_PAGE = "pages.xml";
const PART = new RegExp(`^(${KINDS.join("|")})-([1-9]\\d{0,4})\\.xml$`);

/** Undefined for an unknown or empty part. */
export async function part(site: Site, name: string): Promise<Sitemap | undefined> {
  if (name === FRONT_PAGE) return ofOnePiece(START + frontPage(site) + END);
  const [, kind, number] = PART.exec(name) ?? [];
  return kind === undefined ? undefined : range(site, kind as Kind, Number(number));
}

async function range(site: Site, kind: Kind, number: number): Promise<Sitemap | undefined> {
  const bounds = { after: (number - 1) * SIZE, upTo: number * SIZE, now: site.now() };
  const digest = await queries.digest(site.db, kind, bounds);
  if (digest.count === 0) return undefined;
  return {
    version: versionOf(site, digest),
    async *pieces() {
      yield START;
      yield* addresses(site, kind, bounds);
      yield END;
    },
  };
}

const START = `${DECLARATION}<urlset xmlns="${NAMESPACE}">\n`;
const END = "</urlset>\n";

async function index({ db, baseUrl }: Site): Promise<Sitemap> {
  const names = [FRONT_PAGE];
  for (const kind of KINDS) {
    const numbers = await queries.ranges(db, kind, SIZE);
    names.push(...numbers.map((number) => `${kind}-${number}.xml`));
  }
  const parts = names.map((name) => location("sitemap", `${baseUrl}/sitemap-${name}`)).join("");
  return ofOnePiece(`${DECLARATION}<sitemapindex xmlns="${NAMESPACE}">\n${parts}</sitemapindex>\n`);
}

function versionOf({ baseUrl }: Site, digests: object): string {
  return `${baseUrl} ${JSON.stringify(digests)}`;
}

function ofOnePiece(text: string): Sitemap {
  return {
    version: text,
    *pieces() {
      yield text;
    },
  };
}

function frontPage({ baseUrl }: Site): string {
  return location("url", baseUrl + HOME);
}

/** Holds nothing between two pieces, so a slow reader delays no other request. */
async function* addresses(
  { db, baseUrl }: Site,
  kind: Kind,
  { after, upTo, now }: queries.Part,
): AsyncGenerator<string, undefined> {
  let last = after;
  while (true) {
    const rows = await queries.list(db, kind, { after: last, upTo, now, limit: BATCH });
    if (rows.length > 0) {
      yield rows.map((row) => location("url", baseUrl + pathOf(kind, row), row.changed_at)).join("");
    }
    last = rows.at(-1)?.id ?? upTo;
    if (rows.length < BATCH) return undefined;
  }
}

function pathOf(kind: Kind, { name, slug }: queries.Row): string {
  if (kind === "tags") return tagPath(name);
  return slug === null ? profilePath(name) : pathUnder(name, slug);
}

function location(name: "url" | "sitemap", address: string, changedAt?: Date): string {
  const changed = changedAt && element("lastmod", {}, timestamp(changedAt));
  return `${element(name, {}, element("loc", {}, address), changed).xml}\n`;
}
