import { faultIn } from "../../platform/db/failures.ts";
import type { Converter } from "../../community/feed-imports/converter.ts";
import type { Converted } from "../../community/feed-imports/to-markdown.ts";
import { wordOf } from "./article-values.ts";
import type { Body, Found, LeftOut } from "./reader.ts";

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

/** How the report names a thing. */
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
