import { createHash } from "node:crypto";
import { addressOf } from "../../community/feed-imports/attributes.ts";
import { plainLine } from "../../content/text/plain-line.ts";
import { dash } from "../../content/text/slug.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import { decoded } from "./pictures.ts";
import { apart, type Found, type Reader, type ReadOptions, type Source, type Stranger } from "./reader.ts";
import { type Attachment, postHtml } from "./wordpress-text.ts";
import { dateIn, readWxr, textIn, type Texts, type WxrItem } from "./wxr.ts";
import { accepts } from "../../platform/fields/fields.ts";
import { PROFILE } from "../../community/users/fields.ts";

export const wordpress: Reader = {
  folder: "uploads/",
  async *read(sources, options) {
    const library = await readLibrary(sources);
    for (const source of sources) {
      for await (const part of readWxr(source))
        if ("item" in part) yield* readItem(part.item, library, options);
    }
  },
  fileOf(url) {
    const { pathname = "", hostname = "" } = parseUrl(url) ?? {};
    const path = /\/wp-content\/uploads\/(.+)$/.exec(pathname)?.[1];
    // Sites of wordpress.com have a host for their uploads.
    return path ?? (hostname.endsWith(".files.wordpress.com") ? pathname.slice(1) : undefined);
  },
};

function* readItem(item: WxrItem, library: Library, options: ReadOptions): Generator<Found> {
  const kind = kindOf(item.texts);
  if (typeof kind === "boolean") {
    const name = `${titleIn(item.texts)} (${textIn(item.texts, "link")})`;
    yield* apart(name, () => readPost(item, kind, library, options));
    if (options.comments) yield* commentsOf(item, library);
  } else yield* kind;
}

const titleIn = (texts: Texts) => plainLine(textIn(texts, "title"));

const leftOut = (texts: Texts, reason: string, type = "article"): Found => ({
  leftOut: { type, name: titleIn(texts) || textIn(texts, "wp:post_id"), reason },
});

const STATUSES: ReadonlyMap<string, boolean> = new Map([
  ["publish", true],
  ["future", true],
  ["draft", false],
  ["pending", false],
  ["private", false],
]);

function kindOf(texts: Texts): boolean | Found[] {
  const type = textIn(texts, "wp:post_type") || "post";
  const status = textIn(texts, "wp:status");
  // They are the pictures of posts.
  if (type === "attachment") return [];
  if (type === "page") return [leftOut(texts, "pages don't become articles", type)];
  if (type !== "post") return [{ remark: `an item of the type ${type.slice(0, 50)} is left out` }];
  return STATUSES.get(status) ?? [leftOut(texts, `its status is ${status.slice(0, 50) || "missing"}`)];
}

function* readPost(item: WxrItem, isOut: boolean, library: Library, { site }: ReadOptions): Generator<Found> {
  const { texts, meta } = item;
  const { html, shortcodes } = postHtml(textIn(texts, "content:encoded"), galleryOf(item, library));
  for (const name of shortcodes) yield { remark: `the shortcode [${name.slice(0, 50)}] stays as text` };
  const hasPassword = textIn(texts, "wp:post_password") !== "";
  if (isOut && hasPassword) yield { remark: "a post with a password becomes a draft" };
  if (textIn(texts, "wp:status") === "private") yield { remark: "a private post becomes a draft" };
  const [link, excerpt] = [textIn(texts, "link"), textIn(texts, "excerpt:encoded")];
  const base = link || textIn(item.site, "wp:base_blog_url") || site;
  const article = {
    key: textIn(texts, "wp:post_id"),
    // WordPress encodes slugs of other scripts.
    slug: dash(decoded(textIn(texts, "wp:post_name"))),
    address: link,
    author: library.authorOf(textIn(texts, "dc:creator")),
    title: titleIn(texts),
    body: { html, base },
    ...(excerpt !== "" && { excerpt }),
    isPublic: isOut && !hasPassword,
    created_at: dateIn(texts, "wp:post_date"),
    published_at: dateIn(texts, "wp:post_date"),
    edited_at: dateIn(texts, "wp:post_modified"),
    tags: termsOf(item),
    attributes: { main_image: addressOf("main_image", library.picture(textIn(meta, "_thumbnail_id"))?.url) },
  };
  yield { article };
}

/** All galleries of a post show at most so many pictures; they can name the same ones many times. */
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
function termsOf({ terms }: WxrItem): string[] {
  const namesOf = (...taxonomies: string[]) =>
    terms.filter(({ taxonomy }) => taxonomies.includes(taxonomy)).map(({ name }) => plainLine(name));
  const names = [...namesOf("category"), ...namesOf("post_tag", "tag")];
  return names.filter((name) => name.toLowerCase() !== "uncategorized");
}

const idIn = (comment: Texts) => Number(textIn(comment, "wp:comment_id")) || 0;

/** The approved comments of a post. By ids: a parent has a lower one. */
function* commentsOf({ texts, comments }: WxrItem, library: Library): Generator<Found> {
  for (const comment of comments.toSorted((one, other) => idIn(one) - idIn(other))) {
    const remark = faultOf(comment);
    if (remark !== undefined) {
      yield { remark };
      continue;
    }
    const [article, ref] = [textIn(texts, "wp:post_id"), textIn(comment, "wp:comment_id")];
    const find = () => ({
      article,
      ref,
      parent: textIn(comment, "wp:comment_parent"),
      author: commenterOf(comment, library),
      body: { html: postHtml(textIn(comment, "wp:comment_content"), () => []).html },
      created_at: dateIn(comment, "wp:comment_date"),
    });
    yield* apart(`${ref} on ${article}`, () => [{ comment: find() }], "comment");
  }
}

function faultOf(comment: Texts): string | undefined {
  const type = textIn(comment, "wp:comment_type");
  if (!["", "comment"].includes(type)) return "a pingback, trackback or note is left out";
  if (textIn(comment, "wp:comment_approved") === "1") return undefined;
  return "a comment that isn't approved is left out";
}

/** The longest beginning of a username; the rest tells people with the same name apart. */
const MAX_STEM = 13;

/** An address in a comment proves nothing, so it never leads to a user of this site. */
function commenterOf(comment: Texts, { authorWithId }: Library): Stranger {
  const author = authorWithId(textIn(comment, "wp:comment_user_id"));
  if (author) return author;
  const name = nameOf(textIn(comment, "wp:comment_author"), "Anonymous");
  const key = [name, textIn(comment, "wp:comment_author_email").toLowerCase()].join("\0");
  const digits = createHash("sha256").update(key).digest("hex").slice(0, 6);
  return { username: `${dash(name).slice(0, MAX_STEM) || "reader"}_${digits}`, name, isCommenter: true };
}

/** What posts refer to, also in later files: people, and the pictures of the other site. */
interface Library {
  authorOf(login: string): Stranger;
  /** The author with this id; undefined for people who wrote comments only. */
  authorWithId(id: string): Stranger | undefined;
  picture(id: string): Attachment | undefined;
  picturesOf(postId: string): Attachment[];
}

async function readLibrary(sources: readonly Source[]): Promise<Library> {
  const authors = new Map<string, Stranger>();
  const logins = new Map<string, string>();
  const pictures = new Map<string, Attachment>();
  const children = new Map<string, Attachment[]>();

  function addPicture({ texts, meta }: WxrItem): void {
    const url = textIn(texts, "wp:attachment_url");
    if (!/\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i.test(url)) return;
    const picture = { url, alt: textIn(meta, "_wp_attachment_image_alt") };
    const parent = textIn(texts, "wp:post_parent");
    pictures.set(textIn(texts, "wp:post_id"), picture);
    const siblings = children.get(parent);
    if (siblings) siblings.push(picture);
    else if (parent !== "" && parent !== "0") children.set(parent, [picture]);
  }

  for (const source of sources) {
    for await (const part of readWxr(source)) {
      if ("item" in part) addPicture(part.item);
      else {
        const login = textIn(part.author, "wp:author_login");
        authors.set(login, strangerOf(login, part.author));
        logins.set(textIn(part.author, "wp:author_id"), login);
      }
    }
  }
  return {
    authorOf: (login) => authors.get(login) ?? { username: login, name: nameOf("", login) },
    authorWithId: (id) => authors.get(logins.get(id) ?? ""),
    picture: (id) => pictures.get(id),
    picturesOf: (postId) => children.get(postId) ?? [],
  };
}

function strangerOf(login: string, texts: Texts): Stranger {
  const email = textIn(texts, "wp:author_email");
  return {
    username: login,
    name: nameOf(textIn(texts, "wp:author_display_name"), login),
    ...(accepts(PROFILE.email, email) && email !== "" && { email }),
  };
}

/** A name that a user can have: there it may have been any text. */
const nameOf = (name: string, otherwise: string): string =>
  [name, otherwise].find((one) => accepts(PROFILE.name, one)) ?? "Anonymous";
