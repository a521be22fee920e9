import MarkdownIt from "markdown-it";
import { blockTags, htmlBlocks } from "./embeds/block-tags.ts";
import { bareLinks, inlineTags } from "./embeds/inline-tags.ts";
import { highlight } from "./highlight.ts";
import {
  emoji,
  footnotes,
  headingIds,
  mentionLinks,
  plainLines,
  tableAlignment,
  taskLists,
  wwwLinks,
} from "./markdown/rules.ts";
import { inlineWithPlaces, newEnvironment, type RenderOptions, warningsOf } from "./markdown/state.ts";
import { sanitise } from "./sanitise.ts";

// Smart quotes take quadratic time on hostile input.
const markdownIt = new MarkdownIt({ html: true, linkify: true, typographer: false, highlight })
  .use(inlineWithPlaces)
  .use(plainLines)
  .use(wwwLinks)
  .use(footnotes)
  .use(taskLists)
  .use(emoji)
  .use(blockTags)
  .use(htmlBlocks)
  .use(inlineTags)
  .use(bareLinks)
  .use(mentionLinks)
  .use(headingIds)
  .use(tableAlignment);

/**
 * Renders a body without front matter to safe HTML. May take seconds on hostile input: use the render pool for
 * requests.
 */
export function renderMarkdown(markdown: string, options: RenderOptions = {}) {
  const environment = newEnvironment(options);
  return { html: sanitise(markdownIt.render(markdown, environment)), warnings: warningsOf(environment) };
}
