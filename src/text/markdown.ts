import MarkdownIt from "markdown-it";
import { headingIds } from "./heading-ids.ts";
import { highlight } from "./highlight.ts";
import { sanitise } from "./sanitise.ts";
import { tableAlignment } from "./table-alignment.ts";

/** Stored with the HTML; a body rendered by another version is rendered again. */
export const RENDERER_VERSION = 1;

// No typographer: its smart quotes take quadratic time on hostile input.
const markdownIt = new MarkdownIt({ html: true, linkify: true, typographer: false, highlight })
  .use(headingIds)
  .use(tableAlignment);

/**
 * Renders a body without front matter to HTML that may be shown as it stands. Takes seconds on hostile
 * input: anything that a stranger sends goes through the render pool.
 */
export function renderMarkdown(markdown: string): string {
  return sanitise(markdownIt.render(markdown));
}
