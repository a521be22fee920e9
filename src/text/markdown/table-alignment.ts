import type { MarkdownIt } from "markdown-it";

/** Says the alignment of table cells in an attribute, because styles do not pass the sanitiser. */
export function tableAlignment(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push("table_alignment", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "th_open" && token.type !== "td_open") continue;
      const alignment = /^text-align:\s*(\w+)$/.exec(String(token.attrGet("style")))?.[1];
      if (alignment !== undefined) token.attrs = [["align", alignment]];
    }
  });
}
