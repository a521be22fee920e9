import type { MarkdownIt, StateInline } from "markdown-it";
import CHARACTERS from "markdown-it-emoji/lib/data/full.mjs";

const SHORTCODE = /:([a-z0-9_+-]{1,50}):/y;
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Reads `:name:` as the emoji of that name. The names are the plugin's; its own rule takes quadratic
 * time on a paragraph of many.
 */
export function emoji(markdownIt: MarkdownIt): void {
  markdownIt.inline.ruler.push("emoji", readEmoji);
}

function readEmoji(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== ":" || (pos > 0 && WORD.test(src[pos - 1] ?? ""))) return false;
  SHORTCODE.lastIndex = pos;
  const [code = "", name = ""] = SHORTCODE.exec(src) ?? [];
  if (code === "" || pos + code.length > state.posMax || !Object.hasOwn(CHARACTERS, name)) return false;
  if (!silent) state.pending += CHARACTERS[name];
  state.pos += code.length;
  return true;
}
