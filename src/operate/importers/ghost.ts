import type { Readable } from "node:stream";
import { invalid } from "../../platform/errors.ts";
import { addressOf, titleOf } from "../../community/feed-imports/attributes.ts";
import { accepts, isObject } from "../../platform/fields/fields.ts";
import { jsonElements } from "../../content/text/json-elements.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import { PICTURE, PROFILE } from "../../community/users/fields.ts";
import { lineOf, stringOf, wordOf } from "./article-values.ts";
import { apart, type Found, type Reader, type ReadOptions, type Source, type Stranger } from "./reader.ts";

/** Stands in an export for the address of its site. */
const SITE = "__GHOST_URL__";

interface Options extends ReadOptions {
  site: string;
}

export const ghost: Reader = {
  folder: "content/",
  async *read(sources, options) {
    const { site } = options;
    if (site === undefined)
      throw invalid(
        "An export of Ghost doesn't say where its site was: give the address with --site, such as https://blog.example.",
      );
    for (const source of sources) {
      const tables = await readTables(source);
      let count = 0;
      for await (const post of postsOf(source)) {
        count += 1;
        const name = `${lineOf(post["title"]) ?? ""} (/${wordOf(post["slug"])}/)`;
        yield* apart(name, () => readPost(post, tables, { ...options, site }));
      }
      if (count === 0)
        throw invalid(`${source.name} has no posts: it is no export of Ghost, or that of an empty site.`);
    }
  },
  fileOf(url, { site }) {
    const address = parseUrl(url, site);
    if (address?.origin !== parseUrl(site ?? "")?.origin) return undefined;
    // A smaller copy stands in a folder of its size.
    const [, folder, path] =
      /\/content\/(images|media|files)\/(?:size\/w\d+(?:h\d+)?\/)?(.+)$/.exec(address?.pathname ?? "") ?? [];
    return path === undefined ? undefined : `${folder}/${path}`;
  },
};

function* readPost(post: Row, tables: Tables, options: Options): Generator<Found> {
  const { site } = options;
  const [id, slug, title] = [wordOf(post["id"]), wordOf(post["slug"]), lineOf(post["title"])];
  const [first, ...others] = tables.authorsOf(post);
  const reason = title === undefined ? "it has no title" : reasonToLeaveOut(post, first ?? options.author);
  if (reason !== undefined) {
    yield { leftOut: { type: "article", name: title ?? slug, reason } };
    return;
  }
  for (const { name } of others)
    yield { remark: `an article keeps the first of its authors only, and not ${wordOf(name)}` };
  const { isPublic, remarks } = statusOf(post);
  for (const remark of remarks) yield { remark };
  const article = {
    key: id,
    slug,
    address: `/${slug}/`,
    author: strangerOf(first ?? {}, options),
    title: title as string,
    body: { html: withSite(post["html"], site) ?? "", base: site },
    isPublic,
    created_at: post["created_at"],
    published_at: post["published_at"],
    tags: tables.tagsOf(id),
    attributes: {
      description: lineOf(post["custom_excerpt"]) ?? tables.excerptOf(id),
      canonical_url: addressOf("canonical_url", addressIn(post["canonical_url"], options)),
      main_image: addressOf("main_image", addressIn(post["feature_image"] ?? post["image"], options)),
    },
  };
  yield { article };
}

function reasonToLeaveOut({ type, page, html, lexical, mobiledoc }: Row, author: unknown) {
  if (type === "page" || page === true || page === 1) return "it is a page";
  if (author === undefined) return "its author isn't in the export: --author gives it to a person here";
  if (stringOf(html) !== undefined) return undefined;
  const isPacked = stringOf(lexical ?? mobiledoc) !== undefined;
  return isPacked
    ? "it has no HTML, only the form of Ghost's editor (Lexical or Mobiledoc)"
    : "it has no text";
}

const withSite = (value: unknown, site: string) => stringOf(value)?.replaceAll(SITE, site);

/** Begins a part of a public post that only some readers get. */
const GATED = /kg-gated-block:begin/;

/** Nothing that only members, or readers who pay, could read becomes public. */
function statusOf(post: Row) {
  const { status, visibility, codeinjection_head: head, codeinjection_foot: foot } = post;
  const isOut = status === "published" || status === "scheduled";
  const isForAll = (visibility ?? "public") === "public" && !GATED.test(wordOf(post["html"]));
  const hasCode = [head, foot].some((code) => stringOf(code) !== undefined);
  const remarks = [
    isOut && !isForAll && "a post was for members only: the article becomes a draft",
    status === "sent" && "a post was sent by mail only: the article becomes a draft",
    hasCode && "the code that a post adds to its page is left out",
  ];
  return { isPublic: isOut && isForAll, remarks: remarks.filter((one) => typeof one === "string") };
}

function addressIn(value: unknown, { site }: Options): string | undefined {
  const address = withSite(value, site);
  return address === undefined ? undefined : parseUrl(address, site)?.href;
}

function strangerOf(user: Row, options: Options): Stranger {
  const { slug, name, email, bio, location, website, profile_image, image } = user;
  const username = wordOf(slug ?? options.author);
  const given = {
    summary: bio,
    location,
    website_url: website,
    profile_image: addressIn(profile_image ?? image, options),
  };
  const fields = { ...PROFILE, profile_image: PICTURE };
  const profile = Object.entries(given).filter(([key, value]) =>
    accepts(fields[key as keyof typeof given], value),
  );
  return {
    username,
    name: titleOf(stringOf(name) ?? username).slice(0, 100),
    ...(typeof email === "string" && accepts(PROFILE.email, email) && { email }),
    profile: Object.fromEntries(profile),
  };
}

type Row = Record<string, unknown>;

/** The rows of the tables that posts refer to, by the ids of the posts or their own. */
interface Tables {
  users: ReadonlyMap<string, Row>;
  tagsOf(postId: string): string[];
  authorsOf(post: Row): Row[];
  excerptOf(postId: string): string | undefined;
}

/** The posts of an export, read a second time, after the tables. */
async function* postsOf(source: Source): AsyncGenerator<Row> {
  for await (const { row } of rowsOf(source, ["posts"])) yield row;
}

async function readTables(source: Source): Promise<Tables> {
  const tables = {
    users: new Map<string, Row>(),
    tags: new Map<string, Row>(),
    posts_tags: new Map<string, Row[]>(),
    posts_authors: new Map<string, Row[]>(),
    posts_meta: new Map<string, Row[]>(),
  };
  for await (const { table, row } of rowsOf(source, Object.keys(tables))) {
    if (table === "users" || table === "tags") tables[table].set(wordOf(row["id"]), row);
    else {
      const rows = tables[table as "posts_tags"];
      const postId = wordOf(row["post_id"]);
      if (!rows.get(postId)?.push(row)) rows.set(postId, [row]);
    }
  }
  const { users, tags, posts_tags, posts_authors, posts_meta } = tables;
  return {
    users,
    tagsOf: (postId) => {
      const names = ordered(posts_tags.get(postId)).map(({ tag_id }) =>
        lineOf(tags.get(wordOf(tag_id))?.["name"]),
      );
      return names.filter((name) => name !== undefined && !name.startsWith("#")) as string[];
    },
    authorsOf: ({ id, author_id }: Row): Row[] => {
      const named = ordered(posts_authors.get(wordOf(id))).map((row) => row["author_id"]);
      const ids = (named.length > 0 ? named : [author_id]).map(wordOf);
      return ids.map((one) => users.get(one)).filter((user) => user !== undefined);
    },
    excerptOf: (postId) => lineOf(posts_meta.get(postId)?.[0]?.["meta_description"]),
  };
}

const ordered = (rows: readonly Row[] = []): Row[] =>
  rows.toSorted((one, other) => Number(one["sort_order"] ?? 0) - Number(other["sort_order"] ?? 0));

async function* rowsOf(
  source: Source,
  tables: readonly string[],
): AsyncGenerator<{ table: string; row: Row }> {
  const isWanted = (path: string) => tables.includes(tableOf(path));
  const options = { name: source.name, isWanted };
  for await (const { path, value } of jsonElements(await openExport(source), options)) {
    if (isObject(value)) yield { table: tableOf(path), row: value };
  }
}

/** `db.data.posts` and `data.posts` are the same table. */
const tableOf = (path: string): string => /^(?:db\.)?data\.(\w+)$/.exec(path)?.[1] ?? "";

/** The export is at the top of the archive or of its only folder, or in `data/`. */
const EXPORT = /^(?:[^/]+\/)?(?:content\/)?(?:data\/)?[^/]+\.json$/;
const OTHER = /(?:^|\/)(?:package|redirects|routes)(?:-[^/]*)?\.json$/;

async function openExport({ name, zip, open }: Source): Promise<Readable> {
  if (!zip) return open();
  const entries = [...zip.entries.values()].filter(
    (entry) => EXPORT.test(entry.name) && !OTHER.test(entry.name),
  );
  const [only, another] = entries;
  if (only && !another) return zip.read(only);
  const found = only ? `${entries.length} JSON files` : "no JSON file";
  throw invalid(
    `${name} has ${found} beside its pictures: Ghost's export is one, such as blog.ghost.2026-03-02.json.`,
  );
}
