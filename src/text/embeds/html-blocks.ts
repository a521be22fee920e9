import type { MarkdownIt } from "markdown-it";
import { TAGS } from "./tags.ts";
import { warn } from "./warn.ts";

const TAG = /\{%-?[ \t]*([a-z]\w{0,30})/gi;
const SILENT = /^\s*<(?:pre|script|style|textarea|!--)/i;

/** Says of tags that stand within HTML, where Markdown reads nothing, that they are text. */
export function htmlBlocks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("block", "tags_in_html", ({ tokens, env }) => {
    for (const { type, content, map } of tokens) {
      if (type !== "html_block" || SILENT.test(content)) continue;
      for (const [number, text] of content.split("\n").entries()) {
        for (const [, name = ""] of text.matchAll(TAG)) {
          if (!TAGS.has(name.toLowerCase())) continue;
          const line = (map?.[0] ?? 0) + number;
          const problem = "stands in HTML (put an empty line in between)";
          warn(env, { name: name.toLowerCase(), line, problem });
        }
      }
    }
  });
}
