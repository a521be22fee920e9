import type { Context } from "../../context.ts";
import type { Db } from "../../platform/db/connect.ts";
import { pathUnder, profilePath, STANDING_PAGES, tagPath } from "../../platform/paths.ts";
import { timestamp } from "../../platform/text/dates.ts";
import { DECLARATION, element } from "../../content/text/xml.ts";
import * as queries from "./queries.ts";

type Kind = queries.Kind;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The ids that a part covers: its text is small enough to be cached, and made without a pause for other requests. */
const SIZE = 5_000;

const KINDS: readonly Kind[] = ["articles", "people", "organizations", "tags"];

interface Site {
  db: Db;
  baseUrl: string;
  now: Date;
}

/** The sitemap, or an index of parts if there are too many addresses for one. */
export async function whole(site: Site): Promise<string> {
  if ((await queries.highestSum(site.db)) >= SIZE) return index(site);
  const addresses = [];
  for (const kind of KINDS) addresses.push(await addressesIn(site, kind, 1));
  return urlset(standing(site) + addresses.join(""));
}

/** Links to the sections in which there is something. */
export function sections({ db, now }: Pick<Context, "db" | "now">): Promise<string[]> {
  return queries.sections(db.shared, now());
}

const STANDING = "pages.xml";
const PART = new RegExp(`^(${KINDS.join("|")})-([1-9]\\d{0,5})\\.xml$`);

export async function part(site: Site, name: string): Promise<string | undefined> {
  if (name === STANDING) return urlset(standing(site));
  const [, kind, number] = PART.exec(name) ?? [];
  const addresses = kind && (await addressesIn(site, kind as Kind, Number(number)));
  return addresses ? urlset(addresses) : undefined;
}

async function index({ db, baseUrl }: Site): Promise<string> {
  const names = [STANDING];
  for (const kind of KINDS) {
    const numbers = await queries.ranges(db, kind, SIZE);
    names.push(...numbers.map((number) => `${kind}-${number}.xml`));
  }
  const parts = names.map((name) => location("sitemap", `${baseUrl}/sitemap-${name}`)).join("");
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${parts}</sitemapindex>\n`;
}

const urlset = (addresses: string) => `${DECLARATION}<urlset ${NAMESPACE}>\n${addresses}</urlset>\n`;

const standing = ({ baseUrl }: Site) =>
  STANDING_PAGES.map((path) => location("url", baseUrl + path)).join("");

async function addressesIn({ db, baseUrl, now }: Site, kind: Kind, number: number): Promise<string> {
  const rows = await queries.list(db, kind, { after: (number - 1) * SIZE, upTo: number * SIZE, now });
  return rows.map((row) => location("url", baseUrl + pathOf(kind, row), row.changed_at)).join("");
}

function pathOf(kind: Kind, { name, slug }: queries.Row): string {
  if (kind === "tags") return tagPath(name);
  return slug === null ? profilePath(name) : pathUnder(name, slug);
}

function location(name: "url" | "sitemap", address: string, changedAt?: Date): string {
  const changed = changedAt && element("lastmod", {}, timestamp(changedAt));
  return `${element(name, {}, element("loc", {}, address), changed).xml}\n`;
}
