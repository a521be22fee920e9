import type { Readable } from "node:stream";
import type { Zip } from "../archives/zip.ts";
import { faultIn } from "../../platform/db/failures.ts";
import type { Converter } from "../../community/feed-imports/converter.ts";
import type { Converted } from "../../community/feed-imports/to-markdown.ts";
import { wordOf } from "./article-values.ts";

/** `community` is the community file, and `inkstone` the archive of a person. */
export const FORMATS = ["community", "inkstone", "forem", "ghost", "wordpress"] as const;
export type Format = (typeof FORMATS)[number];

export interface Source {
  /** The argument of the command, for messages. */
  name: string;
  /** The archive; undefined for a file that is none. */
  zip?: Zip;
  /** The bytes of a file that is no archive; may be called again. */
  open(): Promise<Readable>;
}

export interface CommunityRecord {
  type: string;
  [key: string]: unknown;
}

export interface Stranger {
  /** Their name in addresses there: the wish for the one here. */
  username: string;
  name: string;
  /** Finds the person here. People without one never become a person that already is here. */
  email?: string;
  /** A person who only commented, to whom `--author` gives nothing. */
  isCommenter?: boolean;
  /** Other attributes of the record, such as `summary` and `profile_image`. */
  profile?: Record<string, unknown>;
}

export type Body = { markdown: string } | { html: string; base?: string | undefined };

interface Thing {
  author: Stranger;
  body: Body;
  created_at: unknown;
  edited_at?: unknown;
  attributes?: Record<string, unknown>;
}

export interface ForeignArticle extends Thing {
  /** Comments and addresses name the article by it. */
  key: string;
  /** That of its address there: the wish for the one here. */
  slug: string;
  /** A text; by default the beginning of that of the body. */
  title?: string;
  /** HTML whose text is the description. */
  excerpt?: string;
  isPublic: boolean;
  published_at: unknown;
  crossposted_at?: unknown;
  /** Keep their order; names that can't be tags here are left out. */
  tags: readonly string[];
  /** Its address there, which leads here if it is public. */
  address?: string;
}

export interface ForeignComment extends Thing {
  /** The key of an article of the file, or a path that ends with the slug of one of this site. */
  article: string;
  /** Replies name the comment by it. */
  ref?: string;
  parent?: string;
}

export interface LeftOut {
  type: string;
  /** Includes its address, if it has one. */
  name: string;
  reason: string;
  /** It should have become a record: without --skip-invalid, the import is refused. */
  failed?: true;
}

export type Found =
  | { article: ForeignArticle }
  | { comment: ForeignComment }
  /** An article of the archive of a person, which has the attributes of a record. */
  | { record: CommunityRecord; author: Stranger }
  | { person: Stranger }
  /** An old address of an article, which it names by its key. */
  | { path: string; of: string }
  /** A thing of the other site that becomes no record, such as `{ type: "article", name: "About", reason: "it is a page" }`. */
  | { leftOut: LeftOut }
  /** A sentence about many records, which the report prints once with its count. */
  | { remark: string };

export interface ReadOptions {
  /** The person of `--author`, to whom everything belongs. */
  author?: string;
  /** The address of the old site by `--site`, without a slash at its end. */
  site?: string;
  comments?: boolean;
}

/** Reads the files of another program. Faults of a file are AppErrors. */
export interface Reader {
  /** In an order in which each thing refers to earlier ones only. Pictures keep their old addresses. */
  read(sources: readonly Source[], options: ReadOptions): AsyncIterable<Found>;
  /** The folder of an archive that `--files` stands for, such as `content/`. */
  folder: string;
  /** The file of an address within `folder`, such as `images/2020/tomato.png`; undefined for others. */
  fileOf(url: string, options: ReadOptions): string | undefined;
}

/** A thing that was found, with the texts that a thread makes of its HTML meanwhile. */
export interface Waiting {
  found: Found;
  body?: Promise<Converted>;
  excerpt?: Promise<Converted>;
}

export function textOf(body: Body, converter: Converter): Promise<Converted> {
  if ("markdown" in body) return Promise.resolve({ markdown: body.markdown, text: "", remarks: [] });
  const text = converter.convert({ base: undefined, ...body });
  // It may fail before it is waited for.
  text.catch(() => {});
  return text;
}

export function nameOf(found: Found): Pick<LeftOut, "type" | "name"> {
  if ("comment" in found)
    return { type: "comment", name: `${found.comment.ref} on ${found.comment.article}` };
  if (!("article" in found)) return { type: "record", name: "" };
  const { title = "", key, address = key } = found.article;
  return { type: "article", name: title === "" ? address : `${title} (${address})` };
}

export const lastPart = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The slugs here that a thing may have or name. */
export function slugsIn(found: Found): string[] {
  if ("article" in found) return [found.article.slug];
  if ("comment" in found) return [lastPart(found.comment.article)];
  return "record" in found ? [wordOf(found.record["slug"])] : [];
}

/** @throws the error, if it isn't the fault of the thing */
export function failed({ type, name }: Pick<LeftOut, "type" | "name">, error: unknown): LeftOut {
  const reason = faultIn(error);
  if (reason === undefined) throw error;
  return { type, name, reason, failed: true };
}

/** What is found in a thing, or that it can't be read: the others come all the same. */
export function* apart(name: string, find: () => Iterable<Found>, type = "article"): Generator<Found> {
  try {
    yield* find();
  } catch (error) {
    yield { leftOut: failed({ type, name }, error) };
  }
}
