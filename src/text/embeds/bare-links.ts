import type { MarkdownIt, Token } from "markdown-it";
import type { References } from "../references.ts";
import { renderStateOf } from "../markdown/state.ts";
import { knownCard } from "./cards.ts";
import { cardHtml } from "./html.ts";

/** A line with only an address of a known kind becomes a card. */
export function bareLinks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("linkify", "bare_links", ({ tokens, env }) => {
    const { references } = renderStateOf(env);
    for (const [at, token] of tokens.entries()) {
      const paragraph = tokens[at - 1];
      if (token.type !== "inline" || paragraph?.type !== "paragraph_open" || paragraph.hidden) continue;
      token.children = withCards(token.children ?? [], references);
    }
  });
}

function withCards(children: Token[], references: References): Token[] {
  const shown: Token[] = [];
  for (let at = 0; at < children.length; at++) {
    const card = isBreak(children[at - 1]) ? cardAt(children, at, references) : undefined;
    if (card) at += 2;
    const token = card ?? children[at];
    if (token) shown.push(token);
  }
  return shown;
}

function cardAt(children: Token[], at: number, references: References): Token | undefined {
  const link = children[at];
  if (link?.type !== "link_open" || link.info !== "auto" || !isBreak(children[at + 3])) return undefined;
  const card = knownCard(String(link.attrGet("href")), references, { isAlone: true });
  if (!card) return undefined;
  const html = new (link.constructor as typeof Token)("html_inline", "", 0);
  html.content = cardHtml(card);
  return html;
}

function isBreak(token: Token | undefined): boolean {
  return token === undefined || token.type === "softbreak" || token.type === "hardbreak";
}
