import type { MarkdownIt } from "markdown-it";

const MAX_CHARACTERS = 60;

/** Gives every heading an id made from its words, unique in the document, prefixed against clashes with the page's own. */
export function headingIds(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push("heading_ids", ({ tokens }) => {
    const uses = new Map<string, number>();
    for (const [at, token] of tokens.entries()) {
      if (token.type !== "heading_open") continue;
      token.attrSet("id", firstFree(`h-${fragment(tokens[at + 1]?.children ?? [])}`, uses));
    }
  });
}

function fragment(children: readonly { type: string; content: string }[]): string {
  const text = children.map((child) => (child.type === "html_inline" ? "" : child.content)).join("");
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  return Array.from(words.join("-")).slice(0, MAX_CHARACTERS).join("").replace(/-$/, "") || "section";
}

/** Counts how often each id was asked for, so that a thousand equal headings take no time to tell apart. */
function firstFree(id: string, uses: Map<string, number>): string {
  const number = (uses.get(id) ?? 0) + 1;
  uses.set(id, number);
  return number === 1 ? id : firstFree(`${id}-${number}`, uses);
}
