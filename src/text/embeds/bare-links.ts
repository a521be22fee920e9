import type { MarkdownIt, Token } from "markdown-it";
import { surroundingsOf } from "../markdown/surroundings.ts";
import { aloneCard } from "./cards.ts";
import { cardHtml } from "./html.ts";

/** Shows a paragraph that is nothing but an address as a card, where the address is one of a known kind. */
export function bareLinks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("linkify", "bare_links", ({ tokens, env }) => {
    const { references } = surroundingsOf(env);
    for (const [at, token] of tokens.entries()) {
      const paragraph = tokens[at - 1];
      if (token.type !== "inline" || paragraph?.type !== "paragraph_open" || paragraph.hidden) continue;
      const href = loneAddress(token.children ?? []);
      const card = href === undefined ? undefined : aloneCard(href, references);
      if (!card) continue;
      const [link] = token.children ?? [];
      if (!link) continue;
      const html = new (link.constructor as typeof Token)("html_inline", "", 0);
      html.content = cardHtml(card);
      token.children = [html];
    }
  });
}

function loneAddress(children: Token[]): string | undefined {
  const [link] = children;
  if (children.length !== 3 || link?.type !== "link_open" || link.info !== "auto") return undefined;
  return String(link.attrGet("href"));
}
