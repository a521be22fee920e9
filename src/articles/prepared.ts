import type { Db } from "../db/connect.ts";
import { deferRefusal } from "../errors.ts";
import { type FrontMatter, parseFrontMatter } from "../text/front-matter.ts";
import type { Renderer } from "../text/render-pool.ts";
import * as references from "./references.ts";
import { type RenderedBody, renderBody } from "./rendering.ts";
import { type Attributes, readAttributes } from "./requests.ts";

/** A request to write an article, read and rendered. */
export interface Prepared {
  attributes: Attributes;
  /** The body, if one was sent. */
  body: (RenderedBody & { markdown: string; frontMatter: FrontMatter }) | undefined;
}

/**
 * Reads and renders it before its transaction.
 * @throws AppError unavailable when its turn to be rendered doesn't come
 */
export function prepare(db: Db, renderer: Renderer, given: Record<string, unknown>): Promise<() => Prepared> {
  return deferRefusal(() => read(db, renderer, given));
}

async function read(db: Db, renderer: Renderer, given: Record<string, unknown>): Promise<Prepared> {
  const attributes = readAttributes(given);
  const markdown = attributes.body_markdown;
  if (markdown === undefined) return { attributes, body: undefined };
  const { attributes: frontMatter, body } = parseFrontMatter(markdown);
  const found = await references.find(db, [markdown], renderer);
  const rendered = await renderBody(renderer, { markdown, body }, found);
  return { attributes, body: { ...rendered, markdown, frontMatter } };
}
