import { type RawBuilder, sql } from "kysely";
import type { Context } from "../../context.ts";
import type { Db } from "../../platform/db/connect.ts";
import { pathUnder, profilePath, STANDING_PAGES, tagPath } from "../../platform/paths.ts";
import { timestamp } from "../../platform/text/dates.ts";
import { DECLARATION, element } from "../../content/text/xml.ts";

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The ids that a part covers: its text is small enough to be cached, and made without a pause for other requests. */
const SIZE = 5_000;

/** Everything in these tables is published, and an index leads by each of these columns. */
const NUMBERS = {
  articles: { table: "published_articles", column: "article_id" },
  people: { table: "published_articles", column: "author_id" },
  organizations: { table: "published_articles", column: "organization_id" },
  tags: { table: "article_tags", column: "tag_id" },
};
type Kind = keyof typeof NUMBERS;
const KINDS = Object.keys(NUMBERS) as Kind[];

interface Site {
  db: Db;
  baseUrl: string;
  now: Date;
}

/** The sitemap, or an index of parts if there are too many addresses for one. */
export async function whole(site: Site): Promise<string> {
  if ((await highestSum(site.db)) >= SIZE) return index(site);
  const addresses = [];
  for (const kind of KINDS) addresses.push(await addressesIn(site, kind, 1));
  return urlset(standing(site) + addresses.join(""));
}

/** Links to the sections in which there is something, as in the setting `navigation_links`. */
export async function sections({ db, now }: Pick<Context, "db" | "now">): Promise<string[]> {
  const { rows } = await sql<{ link: string }>`
    select link from (values
      ('Podcasts | /podcasts', exists (select from podcasts where published)),
      ('Videos | /videos', exists (select from published_articles where has_video and published_at <= ${now()})),
      ('Listings | /listings', exists (select from listings where published and (expires_at is null or expires_at > ${now()})))
    ) as sections (link, is_used) where is_used`.execute(db.shared);
  return rows.map(({ link }) => link);
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
    const numbers = await ranges(db, kind);
    names.push(...numbers.map((number) => `${kind}-${number}.xml`));
  }
  const parts = names.map((name) => location("sitemap", `${baseUrl}/sitemap-${name}`)).join("");
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${parts}</sitemapindex>\n`;
}

const urlset = (addresses: string) => `${DECLARATION}<urlset ${NAMESPACE}>\n${addresses}</urlset>\n`;

const standing = ({ baseUrl }: Site) =>
  STANDING_PAGES.map((path) => location("url", baseUrl + path)).join("");

async function addressesIn({ db, baseUrl, now }: Site, kind: Kind, number: number): Promise<string> {
  const { rows } = await LISTS[kind]({ after: (number - 1) * SIZE, upTo: number * SIZE, now }).execute(db);
  return rows.map((row) => location("url", baseUrl + pathOf(kind, row), row.changed_at)).join("");
}

function pathOf(kind: Kind, { name, slug }: Row): string {
  if (kind === "tags") return tagPath(name);
  return slug === null ? profilePath(name) : pathUnder(name, slug);
}

function location(name: "url" | "sitemap", address: string, changedAt?: Date): string {
  const changed = changedAt && element("lastmod", {}, timestamp(changedAt));
  return `${element(name, {}, element("loc", {}, address), changed).xml}\n`;
}

async function highestSum(db: Db): Promise<number> {
  const highest = Object.values(NUMBERS).map(
    ({ table, column }) =>
      sql`coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0)::bigint`,
  );
  const { rows } = await sql<{ sum: string }>`select ${sql.join(highest, sql` + `)} as sum`.execute(db);
  return Number(rows[0]?.sum);
}

/** The numbers of the parts that have rows, from 1. An index finds them. */
async function ranges(db: Db, kind: Kind): Promise<number[]> {
  const { table, column } = NUMBERS[kind];
  const number = sql.ref(column);
  const lowest = sql`select (${number} - 1) / ${sql.lit(SIZE)} + 1 from ${sql.table(table)}`;
  const { rows } = await sql<{ range: number }>`
    with recursive ranges (range) as (
      (${lowest} where ${number} > 0 order by ${number} limit 1)
      union all
      select (${lowest} where ${number} > range * ${sql.lit(SIZE)}::bigint order by ${number} limit 1)
      from ranges where range is not null
    )
    select range from ranges where range is not null`.execute(db);
  return rows.map(({ range }) => range);
}

interface Row {
  name: string;
  slug: string | null;
  changed_at: Date;
}

interface IdRange {
  after: number;
  upTo: number;
  now: Date;
}

const LISTS: Record<Kind, (range: IdRange) => RawBuilder<Row>> = {
  articles: ({ after, upTo, now }) => sql`
    select coalesce(organization.username, author.username) as name, slug,
      greatest(listed.published_at, edited_at) as changed_at
    from published_articles as listed
    -- Said again, so that no plan begins with the articles before.
    join articles on articles.id = listed.article_id
      and articles.id > ${after}::bigint and articles.id <= ${upTo}::bigint
    join users as author on author.id = articles.author_id
    left join organizations as organization on organization.id = articles.organization_id
    where article_id > ${after}::bigint and article_id <= ${upTo}::bigint and listed.published_at <= ${now}
    order by article_id`,
  people: (range) => named("users", sql`username`, range, sql`published_articles where author_id = named.id`),
  organizations: (range) =>
    named("organizations", sql`username`, range, sql`published_articles where organization_id = named.id`),
  tags: (range) => named("tags", sql`name`, range, sql`article_tags where tag_id = named.id`),
};

function named(
  table: string,
  name: RawBuilder<unknown>,
  { after, upTo, now }: IdRange,
  published: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql`
    select ${name} as name, null as slug, newest.published_at as changed_at
    from ${sql.table(table)} as named
    cross join lateral (
      select published_at from ${published} and published_at <= ${now} order by published_at desc, article_id desc limit 1
    ) as newest
    where id > ${after}::bigint and id <= ${upTo}::bigint
    order by id`;
}
