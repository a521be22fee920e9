import type { MarkdownIt } from "markdown-it";

const BOX = /^\[([ xX])\](?=\s)/;

/**
 * Shows `- [ ] to do` and `- [x] done` as list items with a box. A sign, no checkbox: it works in feeds
 * and mails too, and nobody's text holds a control.
 */
export function taskLists(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("block", "task_lists", ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      const item = tokens[at - 2];
      if (token.type !== "inline" || item?.type !== "list_item_open") continue;
      const mark = BOX.exec(token.content)?.[1];
      if (mark === undefined) continue;
      item.attrSet("class", "task");
      token.content = (mark === " " ? "☐" : "☑") + token.content.slice(3);
    }
  });
}
