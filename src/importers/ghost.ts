import { AppError, invalid } from "../errors.ts";
import { addressOf, fittingTags, titleOf } from "../feed-imports/attributes.ts";
import { accepts } from "../fields/fields.ts";
import { parseUrl } from "../text/urls.ts";
import { PICTURE, PROFILE } from "../users/fields.ts";
import * as values from "./article-values.ts";
import { postsOf, readTables, type Row, type Tables } from "./ghost-tables.ts";
import type { CommunityRecord, Found, Reader, ReadOptions, Source, Stranger } from "./reader.ts";

/** Stands in an export for the address of its site. */
const SITE = "__GHOST_URL__";

/** The JSON export of Ghost, alone or in a zip with the folder `content`. */
export const ghost: Reader = {
  format: "ghost",
  folder: "content/",
  async *records(sources, options) {
    const { site } = options;
    if (site === undefined) {
      throw invalid(
        "An export of Ghost doesn't say where its site was: give the address with --site, such as https://blog.example.",
      );
    }
    const slugOf = values.createSlugs(options.originOf);
    for (const source of sources) yield* readExport(source, { ...options, site, slugOf });
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

interface Options extends ReadOptions {
  site: string;
  slugOf: ReturnType<typeof values.createSlugs>;
}

async function* readExport(source: Source, options: Options): AsyncGenerator<Found> {
  const tables = await readTables(source);
  const paths: CommunityRecord[] = [];
  let count = 0;
  for await (const post of postsOf(source)) {
    count += 1;
    for await (const found of readPost(post, tables, options)) {
      yield found;
      if (!("record" in found) || found.record["published"] !== true) continue;
      const { slug, author } = found.record as unknown as { slug: string; author: string };
      // The old address of a post with a new slug is that of another one.
      if (slug === post["slug"]) paths.push(...values.formerPath(`/${slug}/`, { slug, author }));
    }
  }
  if (count === 0)
    throw invalid(`${source.name} has no posts: it is no export of Ghost, or that of an empty site.`);
  for (const record of paths) yield { record };
}

async function* readPost(post: Row, tables: Tables, options: Options): AsyncGenerator<Found> {
  const { author: owner, now, people, slugOf } = options;
  const title = titleOf(values.stringOf(post["title"]) ?? "");
  const [first, ...others] = tables.authorsOf(post);
  const hasAuthor = first !== undefined || owner !== undefined;
  const reason = reasonToLeaveOut(post, { title, hasAuthor });
  const body = reason === undefined ? await bodyOf(post, options) : { fault: reason };
  if ("fault" in body) {
    yield { leftOut: { type: "article", name: title || values.wordOf(post["slug"]), reason: body.fault } };
    return;
  }
  const { username: author, record } = await people.usernameOf(strangerOf(first ?? {}, options));
  if (record) yield { record };
  for (const { name } of others) {
    yield { remark: `an article keeps the first of its authors only, and not ${values.wordOf(name)}` };
  }
  const created_at = values.momentOf(post["created_at"], now);
  const { slug, isNew } = await slugOf({ slug: values.wordOf(post["slug"]), author, title, created_at });
  if (isNew) yield { remark: values.NEW_SLUG };
  const { remarks, ...publication } = statusOf(post, { created_at, now });
  for (const remark of remarks) yield { remark };
  const own = {
    type: "article",
    slug,
    author,
    title,
    body_markdown: body.markdown,
    created_at,
    ...publication,
  };
  yield { record: values.withoutNothing({ ...own, ...attributesOf(post, tables, options) }) };
}

function reasonToLeaveOut(
  { type, page, html, lexical, mobiledoc }: Row,
  { title, hasAuthor }: { title: string; hasAuthor: boolean },
): string | undefined {
  if (type === "page" || page === true || page === 1) return "it is a page";
  if (title === "") return "it has no title";
  if (!hasAuthor) return "its author isn't in the export: --author gives it to a person here";
  if (values.stringOf(html) !== undefined) return undefined;
  const isPacked = values.stringOf(lexical ?? mobiledoc) !== undefined;
  return isPacked
    ? "it has no HTML, only the form of Ghost's editor (Lexical or Mobiledoc)"
    : "it has no text";
}

async function bodyOf(
  { html }: Row,
  { site, converter }: Options,
): Promise<{ markdown: string } | { fault: string }> {
  try {
    return await converter.convert({ html: withSite(html, site) ?? "", title: "", base: site });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") return { fault: error.message };
    throw error;
  }
}

const withSite = (value: unknown, site: string) => values.stringOf(value)?.replaceAll(SITE, site);

/** Nothing that only members, or readers who pay, could read becomes public. */
function statusOf(post: Row, { created_at, now }: { created_at: string | undefined; now: Date }) {
  const { status, visibility, published_at, codeinjection_head: head, codeinjection_foot: foot } = post;
  const isOut = status === "published" || status === "scheduled";
  const isForAll = (visibility ?? "public") === "public";
  const hasCode = [head, foot].some((code) => values.stringOf(code) !== undefined);
  const { remark, ...publication } = values.publicationOf(isOut && isForAll, {
    published_at,
    created_at,
    now,
  });
  const remarks = [
    remark,
    isOut && !isForAll && "a post was for members only: the article becomes a draft",
    status === "sent" && "a post was sent by mail only: the article becomes a draft",
    hasCode && "the code that a post adds to its page is left out",
  ];
  return { ...publication, remarks: remarks.filter((one) => typeof one === "string") };
}

function attributesOf(post: Row, tables: Tables, options: Options): Record<string, unknown> {
  const id = values.wordOf(post["id"]);
  return {
    description: values.stringOf(post["custom_excerpt"]) ?? tables.excerptOf(id),
    tags: fittingTags(values.tagNames(tables.tagsOf(id))),
    canonical_url: addressOf("canonical_url", addressIn(post["canonical_url"], options)),
    main_image: addressOf("main_image", addressIn(post["feature_image"] ?? post["image"], options)),
  };
}

function addressIn(value: unknown, { site }: Options): string | undefined {
  const address = withSite(value, site);
  return address === undefined ? undefined : parseUrl(address, site)?.href;
}

function strangerOf(user: Row, options: Options): Stranger {
  const { slug, name, email, bio, location, website, profile_image, image } = user;
  const username = values.wordOf(slug ?? options.author);
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
    name: titleOf(values.stringOf(name) ?? username).slice(0, 100),
    ...(typeof email === "string" && accepts(PROFILE.email, email) && { email }),
    profile: Object.fromEntries(profile),
  };
}
