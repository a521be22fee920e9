import { addressOf, fittingTags, titleOf } from "../feed-imports/attributes.ts";
import { invalid } from "../errors.ts";
import { isObject } from "../fields/fields.ts";
import { jsonElements } from "../text/json-elements.ts";
import * as values from "./article-values.ts";
import type { CommunityRecord, Found, Reader, ReadOptions, Source, Stranger } from "./reader.ts";

type Fields = Record<string, unknown>;

/**
 * The archive that Forem sends to a person: their articles and comments. Comments name the path of their article
 * only, neither their author nor the comment that they answer.
 */
export const forem: Reader = {
  format: "forem",
  folder: "",
  fileOf: () => undefined,
  async *records(sources, options) {
    for (const source of sources) yield* readArchive(source, options);
  },
};

interface Known {
  /** The slugs here of the file's articles, by their paths there. */
  slugs: Map<string, string>;
  paths: CommunityRecord[];
  /** Whose archive it is. */
  person?: Stranger;
}

async function* readArchive(source: Source, options: ReadOptions): AsyncGenerator<Found> {
  const known: Known = { slugs: new Map(), paths: [] };
  const slugOf = values.createSlugs(options.originOf);
  let count = 0;
  for await (const article of elementsOf(source, "articles.json")) {
    count += 1;
    yield* readArticle(article, { ...options, source, known, slugOf });
  }
  for (const record of known.paths) yield { record };
  for await (const comment of elementsOf(source, "comments.json")) {
    count += 1;
    yield* readComment(comment, { ...options, source, known });
  }
  if (count === 0) throw invalid(`${source.name} has no articles and no comments.`);
}

interface Options extends ReadOptions {
  source: Source;
  known: Known;
}

async function* readArticle(
  fields: Fields,
  { slugOf, known, source, ...options }: Options & { slugOf: ReturnType<typeof values.createSlugs> },
): AsyncGenerator<Found> {
  const title = titleOf(values.stringOf(fields["title"]) ?? "");
  const wish = values.wordOf(fields["slug"]);
  if (title === "" || typeof fields["body_markdown"] !== "string") {
    const reason = title === "" ? "it has no title" : "it has no body_markdown";
    yield { leftOut: { type: "article", name: title || wish, reason } };
    return;
  }
  const person = personOf(fields) ?? nobody(source, options);
  known.person ??= person;
  const { username: author, record } = await options.people.usernameOf(person);
  if (record) yield { record };
  const created_at = values.momentOf(fields["created_at"], options.now);
  const { slug, isNew } = await slugOf({ slug: wish, author, title, created_at });
  if (isNew) yield { remark: values.NEW_SLUG };
  const path = values.stringOf(fields["path"]) ?? `/${person.username}/${wish}`;
  known.slugs.set(path, slug);
  if (!isNew && fields["published"] === true) known.paths.push(...values.formerPath(path, { author, slug }));
  const dates = { published_at: fields["published_at"], created_at, now: options.now };
  const { remark, ...publication } = values.publicationOf(fields["published"] === true, dates);
  if (remark !== undefined) yield { remark };
  const own = { type: "article", slug, author, title, created_at, ...publication };
  yield { record: values.withoutNothing({ ...own, ...attributesOf(fields, options.now) }) };
}

function attributesOf(fields: Fields, now: Date): Fields {
  const picture = (name: string) => addressOf("main_image", values.stringOf(fields[name]));
  const reactions = fields["positive_reactions_count"];
  return {
    body_markdown: String(fields["body_markdown"]).replaceAll("\0", "").toWellFormed(),
    description: values.stringOf(fields["description"]),
    tags: fittingTags([fields["cached_tag_list"] ?? []].flat().map(String)),
    canonical_url: addressOf("canonical_url", values.stringOf(fields["canonical_url"])),
    main_image: picture("main_image"),
    edited_at: values.momentOf(fields["edited_at"], now),
    crossposted_at: values.momentOf(fields["crossposted_at"], now),
    video_source_url: picture("video_source_url"),
    video_thumbnail_url: picture("video_thumbnail_url"),
    imported_reactions_count: Number.isInteger(reactions) && Number(reactions) > 0 ? reactions : undefined,
  };
}

function personOf(fields: Fields): Stranger | undefined {
  const username = values.stringOf(fields["cached_user_username"]);
  const name = values.stringOf(fields["cached_user_name"]) ?? username;
  return username === undefined || name === undefined ? undefined : { username, name };
}

/** @throws AppError invalid, unless --author names everything's author */
function nobody({ name }: Source, { author }: Pick<ReadOptions, "author">): Stranger {
  if (author !== undefined) return { username: author, name: author };
  throw invalid(`${name} doesn't say whose it is: name the author with --author.`);
}

async function* readComment(fields: Fields, { known, source, ...options }: Options): AsyncGenerator<Found> {
  const idCode = values.stringOf(fields["id_code"]);
  const path = values.stringOf(fields["commentable_path"]);
  const slug = await slugHere(path, known, options);
  const body = values.stringOf(fields["body_markdown"]);
  if (slug === undefined || (body === undefined && fields["deleted"] !== true)) {
    const missing =
      path === undefined ? "it names no article" : `there is no article ${path} in the file or on this site`;
    yield {
      leftOut: {
        type: "comment",
        name: idCode ?? "",
        reason: slug === undefined ? missing : "it has no text",
      },
    };
    return;
  }
  const { username, record } = await options.people.usernameOf(known.person ?? nobody(source, options));
  if (record) yield { record };
  const own = {
    type: "comment",
    id_code: idCode !== undefined && /^[1-9a-p][0-9a-p]{0,6}$/.test(idCode) ? idCode : undefined,
    author: username,
    article: slug,
    body_markdown: body ?? "",
    created_at: values.momentOf(fields["created_at"], options.now),
    edited_at: values.momentOf(fields["edited_at"], options.now),
    deleted: fields["deleted"] === true || undefined,
  };
  yield { record: values.withoutNothing(own) };
}

/** The slug of an article of the file, or of this site. */
async function slugHere(
  path: string | undefined,
  { slugs }: Known,
  { originOf }: Pick<ReadOptions, "originOf">,
): Promise<string | undefined> {
  const own = slugs.get(path ?? "");
  const last = path?.split("/").at(-1);
  if (own !== undefined || !last) return own;
  return (await originOf(last)) && last;
}

/** The objects in a file of the archive; none if it lacks the file. */
async function* elementsOf({ name, zip }: Source, file: string): AsyncGenerator<Fields> {
  if (!zip)
    throw invalid(`${name} is no archive: Forem's export is a zip with articles.json and comments.json.`);
  const entry = [...zip.entries.values()].find(({ name: own }) => own === file || own.endsWith(`/${file}`));
  if (!entry) return;
  const options = { name: `${file} in ${name}`, isWanted: (path: string) => path === "" };
  for await (const { value } of jsonElements(await zip.read(entry), options))
    if (isObject(value)) yield value;
}
