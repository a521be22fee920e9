import { retiredPath } from "../articles/retired-paths.ts";
import { AppError, invalid } from "../errors.ts";
import { addressOf, fittingTags, titleOf } from "../feed-imports/attributes.ts";
import { dash } from "../text/slug.ts";
import { parseUrl } from "../text/urls.ts";
import {
  createSlugs,
  momentOf,
  NEW_SLUG,
  publicationOf,
  tagNames,
  withoutNothing,
} from "./article-values.ts";
import type { CommunityRecord, Found, Reader, ReadOptions } from "./reader.ts";
import { createComments } from "./wordpress-comments.ts";
import { type Library, readLibrary } from "./wordpress-library.ts";
import { type Attachment, postHtml } from "./wordpress-text.ts";
import { dateIn, readWxr, textIn, type Texts, type WxrItem } from "./wxr.ts";

/** Exports of WordPress: posts become articles, and approved comments come along if they are wanted. */
export const wordpress: Reader = {
  format: "wordpress",
  folder: "uploads/",
  async *records(sources, options) {
    const library = await readLibrary(sources);
    const posts = createPosts(library, options);
    for (const source of sources) {
      for await (const part of readWxr(source)) if ("item" in part) yield* posts.of(part.item);
    }
    yield* posts.rest();
  },
  fileOf(url) {
    const { pathname = "", hostname = "" } = parseUrl(url) ?? {};
    const path = /\/wp-content\/uploads\/(.+)$/.exec(pathname)?.[1];
    // Sites of wordpress.com have a host for their uploads.
    return path ?? (hostname.endsWith(".files.wordpress.com") ? pathname.slice(1) : undefined);
  },
};

/** Records of one type are written together, so old addresses wait for those of later posts. */
const MOST_WAITING = 1_000;

function createPosts(library: Library, options: ReadOptions) {
  const slugOf = createSlugs(options.originOf);
  const comments = createComments(library, options);
  const paths = new Set<string | undefined>();
  let addresses: CommunityRecord[] = [];

  async function* post(item: WxrItem, isPublic: boolean): AsyncGenerator<Found> {
    const { texts } = item;
    const { attributes, remarks } = await attributesOf(item, isPublic, library, options);
    const stranger = library.authorOf(textIn(texts, "dc:creator"));
    const { username: author, record: person } = await options.people.usernameOf(stranger);
    if (person) yield { record: person };
    const wish = dash(decoded(textIn(texts, "wp:post_name")));
    const { slug, isNew } = await slugOf({ ...attributes, slug: wish, author });
    if (isNew && wish !== "") remarks.push(NEW_SLUG);
    for (const remark of remarks) yield { remark };
    yield { record: withoutNothing({ type: "article", slug, author, ...attributes }) };
    const path = attributes.published ? retiredPath(textIn(texts, "link")) : undefined;
    if (path !== undefined && !paths.has(path)) addresses.push({ type: "retired_path", path, article: slug });
    paths.add(path);
    if (options.comments) yield* comments.of(item, slug);
    if (addresses.length >= MOST_WAITING) yield* oldAddresses();
  }

  async function* oldAddresses(): AsyncGenerator<Found> {
    const waiting = addresses;
    addresses = [];
    for (const record of waiting) yield { record };
  }

  return {
    async *of(item: WxrItem): AsyncGenerator<Found> {
      const kind = kindOf(item.texts);
      try {
        yield* typeof kind === "boolean" ? post(item, kind) : kind;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "invalid") throw error;
        yield leftOut(item.texts, error.message);
      }
    },
    async *rest(): AsyncGenerator<Found> {
      yield* comments.rest();
      yield* oldAddresses();
    },
  };
}

const leftOut = (texts: Texts, reason: string, type = "post"): Found => ({
  leftOut: { type, name: textIn(texts, "title") || textIn(texts, "wp:post_id"), reason },
});

/** Whether posts of a status are public. */
const STATUSES: ReadonlyMap<string, boolean> = new Map([
  ["publish", true],
  ["future", true],
  ["draft", false],
  ["pending", false],
  ["private", false],
]);

/** Whether an item is a public post, or why it doesn't become an article. */
function kindOf(texts: Texts): boolean | Found[] {
  const type = textIn(texts, "wp:post_type") || "post";
  const status = textIn(texts, "wp:status");
  // They are the pictures of posts.
  if (type === "attachment") return [];
  if (type === "page") return [leftOut(texts, "pages don't become articles", type)];
  if (type !== "post") return [{ remark: `an item of the type ${type.slice(0, 50)} is left out` }];
  return STATUSES.get(status) ?? [leftOut(texts, `its status is ${status.slice(0, 50) || "missing"}`)];
}

/** @throws AppError invalid for a post that can't be an article */
async function attributesOf(item: WxrItem, isPublic: boolean, library: Library, options: ReadOptions) {
  const { texts, meta } = item;
  const { converter, now } = options;
  const { html, shortcodes } = postHtml(textIn(texts, "content:encoded"), galleryOf(item, library));
  const base = textIn(texts, "link") || textIn(item.site, "wp:base_blog_url") || options.site;
  const body = await converter.convert({ html, title: textIn(texts, "title"), base });
  const excerpt = textIn(texts, "excerpt:encoded");
  const title = titleOf(body.title) || titleOf(body.text);
  if (title === "") throw invalid("it has neither a title nor a text");
  const date = dateIn(texts, "wp:post_date");
  const created_at = momentOf(date, now);
  const changedAt = momentOf(dateIn(texts, "wp:post_modified"), now);
  const hasPassword = textIn(texts, "wp:post_password") !== "";
  const publication = publicationOf(isPublic && !hasPassword, { published_at: date, created_at, now });
  const { published, published_at, remark } = publication;
  const { tags, isWhole } = tagsOf(item);
  const attributes = {
    title,
    body_markdown: body.markdown,
    description: excerpt && (await converter.convert({ html: excerpt, title: "", base })).text,
    tags,
    main_image: addressOf("main_image", library.picture(textIn(meta, "_thumbnail_id"))?.url),
    published,
    published_at,
    created_at,
    edited_at: changedAt !== undefined && changedAt > (published_at ?? "9999") ? changedAt : undefined,
  };
  const remarks = [
    ...shortcodes.map((name) => `the shortcode [${name.slice(0, 50)}] stays as text`),
    ...(isWhole ? [] : ["a category or tag is left out: an article has at most four, of letters and digits"]),
    ...(isPublic && hasPassword ? ["a post with a password becomes a draft"] : []),
    ...(textIn(texts, "wp:status") === "private" ? ["a private post becomes a draft"] : []),
    ...(remark === undefined ? [] : [remark]),
  ];
  return { attributes, remarks };
}

/** WordPress encodes slugs of other scripts. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Of all galleries of a post, which can name the same pictures many times. */
const MAX_PICTURES = 1_000;

function galleryOf({ texts }: WxrItem, library: Library) {
  let count = 0;
  return (ids: string[] | undefined): Attachment[] => {
    if (count >= MAX_PICTURES) return [];
    const pictures = ids?.map((id) => library.picture(id)) ?? library.picturesOf(textIn(texts, "wp:post_id"));
    const found = pictures.filter((picture) => picture !== undefined).slice(0, MAX_PICTURES - count);
    count += found.length;
    return found;
  };
}

/** Categories come first, then tags. */
function tagsOf({ terms }: WxrItem): { tags: string[]; isWhole: boolean } {
  const namesOf = (...taxonomies: string[]) =>
    terms.filter(({ taxonomy }) => taxonomies.includes(taxonomy)).map(({ name }) => name);
  const names = tagNames([...namesOf("category"), ...namesOf("post_tag", "tag")]);
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  distinct.delete("uncategorized");
  const tags = fittingTags([...distinct]);
  return { tags, isWhole: tags.length === distinct.size };
}
