import { invalid } from "../../platform/errors.ts";
import { addressOf } from "../../community/feed-imports/attributes.ts";
import { isObject } from "../../platform/fields/fields.ts";
import { jsonElements } from "../../content/text/json-elements.ts";
import { stringOf, wordOf } from "./article-values.ts";
import type { Found, Reader, Source, Stranger } from "./reader.ts";

type Fields = Record<string, unknown>;

/** Comments of this archive name only the path of their article, no author and no parent. */
export const forem: Reader = {
  folder: "",
  fileOf: () => undefined,
  async *read(sources, { author }) {
    for (const source of sources) yield* readArchive(source, author && { username: author, name: author });
  },
};

async function* readArchive(source: Source, owner: Stranger | "" | undefined): AsyncGenerator<Found> {
  let person = owner || undefined;
  let count = 0;
  const whose = () => {
    if (person) return person;
    throw invalid(`${source.name} doesn't say whose it is: name the author with --author.`);
  };
  for await (const fields of elementsOf(source, "articles.json")) {
    count += 1;
    const author = personOf(fields);
    person ??= author;
    yield articleOf(fields, author ?? whose);
  }
  for await (const fields of elementsOf(source, "comments.json")) {
    count += 1;
    yield commentOf(fields, whose);
  }
  if (count === 0) throw invalid(`${source.name} has no articles and no comments.`);
}

function personOf(fields: Fields): Stranger | undefined {
  const username = stringOf(fields["cached_user_username"]);
  const name = stringOf(fields["cached_user_name"]) ?? username;
  return username === undefined || name === undefined ? undefined : { username, name };
}

function articleOf(fields: Fields, whose: Stranger | (() => Stranger)): Found {
  const title = stringOf(fields["title"]);
  const slug = wordOf(fields["slug"]);
  const markdown = fields["body_markdown"];
  if (title === undefined || typeof markdown !== "string") {
    const reason = title === undefined ? "it has no title" : "it has no body_markdown";
    return { leftOut: { type: "article", name: title ?? slug, reason } };
  }
  const author = typeof whose === "function" ? whose() : whose;
  const address = stringOf(fields["path"]) ?? `/${author.username}/${slug}`;
  const { created_at, published_at, edited_at, crossposted_at, cached_tag_list: tags } = fields;
  const picture = (name: string) => addressOf("main_image", stringOf(fields[name]));
  const article = {
    key: address,
    address,
    slug,
    author,
    title,
    body: { markdown: markdown.replaceAll("\0", "").toWellFormed() },
    isPublic: fields["published"] === true,
    created_at,
    published_at,
    edited_at,
    crossposted_at,
    tags: [tags ?? []].flat().flatMap((names) => wordOf(names).split(",")),
    attributes: {
      description: stringOf(fields["description"]),
      canonical_url: addressOf("canonical_url", stringOf(fields["canonical_url"])),
      main_image: picture("main_image"),
      video_source_url: picture("video_source_url"),
      video_thumbnail_url: picture("video_thumbnail_url"),
    },
  };
  return { article };
}

function commentOf(fields: Fields, whose: () => Stranger): Found {
  const code = stringOf(fields["id_code"]);
  const article = stringOf(fields["commentable_path"]);
  const markdown = stringOf(fields["body_markdown"]);
  const deleted = fields["deleted"] === true || undefined;
  if (article === undefined || (markdown === undefined && !deleted)) {
    const reason = article === undefined ? "it names no article" : "it has no text";
    return { leftOut: { type: "comment", name: code ?? "", reason } };
  }
  const { created_at, edited_at } = fields;
  const attributes = { deleted };
  const body = { markdown: markdown ?? "" };
  const ref = code === undefined ? {} : { ref: code };
  return { comment: { ...ref, article, author: whose(), body, created_at, edited_at, attributes } };
}

async function* elementsOf({ name, zip }: Source, file: string): AsyncGenerator<Fields> {
  if (!zip)
    throw invalid(`${name} is no archive: Forem's export is a zip with articles.json and comments.json.`);
  const entry = [...zip.entries.values()].find(({ name: own }) => own === file || own.endsWith(`/${file}`));
  if (!entry) return;
  const options = { name: `${file} in ${name}`, isWanted: (path: string) => path === "" };
  for await (const { value } of jsonElements(await zip.read(entry), options))
    if (isObject(value)) yield value;
}
