import type { MarkdownIt, StateInline, Token } from "markdown-it";
import footnote from "markdown-it-footnote";

/** The plugin copies the whole document for each note. */
const MAX_NOTES = 500;
const REFERENCE = /\[\^([^\]\s]{1,100})\]/y;

interface Notes {
  refs?: Record<string, number>;
  list?: unknown[];
}

/** `[^1]` and `[^1]: text`, with ids that no heading has. */
export function footnotes(markdownIt: MarkdownIt): void {
  markdownIt.use(footnote);
  // `^[text]` isn't Markdown elsewhere, and nests without end.
  markdownIt.inline.ruler.at("footnote_inline", skipOthers);
  Object.assign(markdownIt.renderer.rules, {
    footnote_ref: (tokens: Token[], at: number) => {
      const { note, place } = numbersOf(tokens[at]);
      return `<sup class="footnote-ref"><a href="#h--fn${note}" id="h--fnref${place}">${note}</a></sup>`;
    },
    footnote_block_open: () => '<hr />\n<ol class="footnotes">\n',
    footnote_block_close: () => "</ol>\n",
    footnote_open: (tokens: Token[], at: number) => `<li id="h--fn${numbersOf(tokens[at]).note}">`,
    footnote_anchor: (tokens: Token[], at: number) =>
      ` <a class="footnote-back" href="#h--fnref${numbersOf(tokens[at]).place}">↩\uFE0E</a>`,
  });
}

/** Reads as text what the plugin would search the paragraph for, and notes beyond the limit. */
function skipOthers(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[^", state.pos)) return false;
  const { refs = {}, list = [] } = (state.env["footnotes"] ?? {}) as Notes;
  REFERENCE.lastIndex = state.pos;
  const label = REFERENCE.exec(state.src)?.[1];
  const isNew = label !== undefined && refs[`:${label}`] === -1;
  if (label !== undefined && !(isNew && list.length >= MAX_NOTES)) return false;
  if (!silent) state.pending += "[^";
  state.pos += 2;
  return true;
}

function numbersOf(token: Token | undefined): { note: number; place: string } {
  const { id, subId } = (token?.meta ?? {}) as { id: number; subId?: number };
  return { note: id + 1, place: subId ? `${id + 1}-${subId + 1}` : `${id + 1}` };
}
