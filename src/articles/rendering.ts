import type { Db } from "../db/connect.ts";
import { readingMinutes } from "../text/reading-time.ts";
import type { References } from "../text/references.ts";
import type { Renderer } from "../text/render-pool.ts";
import * as references from "./references.ts";

/** What is derived from a body when it is saved. */
export interface RenderedBody {
  html: string;
  /** The beginning of the rendered body without markup. */
  text: string;
  /** The tags that are shown as text, with their lines in the body as it was sent, in sentences. */
  warnings: string[];
  readingMinutes: number;
}

/** A body as it was sent, and what of it follows the front matter. */
export interface SplitBody {
  markdown: string;
  body: string;
}

/** @throws AppError invalid when rendering takes too long */
export async function renderBody(
  renderer: Renderer,
  { markdown, body }: SplitBody,
  references?: References,
): Promise<RenderedBody> {
  const block = markdown.slice(0, markdown.length - body.length);
  const firstLine = block.split(/\r\n?|\n/).length;
  const rendered = await renderer.render(body, { references, firstLine });
  return { ...rendered, readingMinutes: readingMinutes(body) };
}

/**
 * The HTML of what isn't an article, with the titles and names that it refers to.
 * @throws AppError invalid when rendering takes too long
 */
export async function renderHtml(db: Db, renderer: Renderer, markdown: string): Promise<string> {
  const found = await references.find(db, [markdown], renderer);
  const { html } = await renderer.render(markdown, { references: found });
  return html;
}
