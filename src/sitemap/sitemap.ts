import type { Db } from "../db/connect.ts";
import { timestamp } from "../text/timestamp.ts";
import { DECLARATION, element } from "../text/xml.ts";
import * as queries from "./queries.ts";

type Kind = queries.Kind;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** The most that one file may list (sitemaps.org), and so the numbers that it is about. */
const SIZE = 50_000;
/** What is read, written and held at a time. */
const BATCH = 1_000;

const KINDS: readonly Kind[] = ["articles", "people", "organizations", "tags"];

interface Site {
  db: Db;
  baseUrl: string;
}

/** The text of what robots ask for first, in pieces: all addresses, or where they stand if they are too many. */
export async function* whole(site: Site): AsyncGenerator<string> {
  const isSmall = (await queries.highestSum(site.db)) <= SIZE;
  yield* isSmall ? everything(site) : index(site);
}

async function* everything(site: Site): AsyncGenerator<string> {
  yield START + location("url", `${site.baseUrl}/`);
  for (const kind of KINDS) yield* addresses(site, kind, { after: 0, upTo: SIZE });
  yield END;
}

/** The text of one part, in pieces; none when it lists nothing. */
export async function* part(site: Site, kind: Kind, number: number): AsyncGenerator<string> {
  const pieces = addresses(site, kind, { after: (number - 1) * SIZE, upTo: number * SIZE });
  const { value: first } = await pieces.next();
  if (first === undefined) return;
  yield START + first;
  yield* pieces;
  yield END;
}

const PART = new RegExp(`^(${KINDS.join("|")})-([1-9]\\d{0,4})\\.xml$`);

/** Which part a name like `articles-2.xml` is of; undefined for what is none. */
export function readPart(name: string): { kind: Kind; number: number } | undefined {
  const [, kind, number] = PART.exec(name) ?? [];
  return kind === undefined ? undefined : { kind: kind as Kind, number: Number(number) };
}

const START = `${DECLARATION}<urlset xmlns="${NAMESPACE}">\n`;
const END = "</urlset>\n";

async function* index({ db, baseUrl }: Site): AsyncGenerator<string> {
  yield `${DECLARATION}<sitemapindex xmlns="${NAMESPACE}">\n`;
  for (const kind of KINDS) {
    const numbers = await queries.ranges(db, kind, SIZE);
    yield numbers.map((number) => location("sitemap", `${baseUrl}/sitemap-${kind}-${number}.xml`)).join("");
  }
  yield "</sitemapindex>\n";
}

/** The addresses of a range of numbers. Nothing is held between two pieces, so a slow reader keeps nobody waiting. */
async function* addresses(
  { db, baseUrl }: Site,
  kind: Kind,
  { after, upTo }: { after: number; upTo: number },
): AsyncGenerator<string, undefined> {
  let last = after;
  while (true) {
    const rows = await queries.list(db, kind, { after: last, upTo, limit: BATCH });
    if (rows.length > 0) {
      yield rows.map((row) => location("url", baseUrl + pathOf(kind, row), row.changed_at)).join("");
    }
    last = rows.at(-1)?.id ?? upTo;
    if (rows.length < BATCH) return undefined;
  }
}

function pathOf(kind: Kind, { name, slug }: queries.Row): string {
  if (kind === "tags") return `/t/${encodeURIComponent(name)}`;
  return slug === null ? `/${name}` : `/${name}/${slug}`;
}

function location(name: "url" | "sitemap", address: string, changedAt?: Date): string {
  const changed = changedAt && element("lastmod", {}, timestamp(changedAt));
  return `${element(name, {}, element("loc", {}, address), changed).xml}\n`;
}
