import { parseFrontMatter } from "../text/front-matter.ts";
import { readingMinutes } from "../text/reading-time.ts";
import type { References } from "../text/references.ts";
import type { Renderer } from "../text/render-pool.ts";

/** What is derived from a body when it is saved. */
export interface RenderedBody {
  html: string;
  /** The beginning of the rendered body without markup. */
  text: string;
  /** The tags that are shown as text, with their lines in the body as it was sent, in sentences. */
  warnings: string[];
  readingMinutes: number;
}

/** @throws AppError invalid when the front matter can't be parsed, or rendering takes too long */
export async function renderBody(
  renderer: Renderer,
  markdown: string,
  references?: References,
): Promise<RenderedBody> {
  const { body } = parseFrontMatter(markdown);
  const block = markdown.slice(0, markdown.length - body.length);
  const firstLine = block.split(/\r\n?|\n/).length;
  const rendered = await renderer.render(body, { references, firstLine });
  return { ...rendered, readingMinutes: readingMinutes(body) };
}
