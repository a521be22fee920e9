import { parseFrontMatter } from "../text/front-matter.ts";
import { readingMinutes } from "../text/reading-time.ts";
import type { RenderPool } from "../text/render-pool.ts";

/** What is derived from a body when it is saved. */
export interface RenderedBody {
  html: string;
  /** The beginning of the rendered body without markup. */
  text: string;
  readingMinutes: number;
}

/** @throws AppError invalid when the front matter can't be parsed, or rendering takes too long */
export async function renderBody(renderPool: RenderPool, markdown: string): Promise<RenderedBody> {
  const { body } = parseFrontMatter(markdown);
  return { ...(await renderPool.render(body)), readingMinutes: readingMinutes(body) };
}
