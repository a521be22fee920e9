import type { MarkdownIt, Token } from "markdown-it";
import { profilePath } from "../../paths.ts";
import { MENTION } from "../references.ts";
import { renderStateOf } from "./state.ts";

export function mentionLinks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("linkify", "mention_links", ({ tokens, env }) => {
    const { names } = renderStateOf(env).references;
    if (names.size === 0) return;
    for (const token of tokens) {
      if (token.type === "inline" && token.content.includes("@"))
        token.children = linked(token.children, names);
    }
  });
}

function linked(children: Token[] | null, names: ReadonlySet<string>): Token[] {
  let depth = 0;
  return (children ?? []).flatMap((token) => {
    depth += linkNesting(token);
    return token.type === "text" && depth <= 0 ? split(token, names) : token;
  });
}

function linkNesting({ type, content }: Token): number {
  if (type === "link_open") return 1;
  if (type === "link_close") return -1;
  if (type !== "html_inline") return 0;
  if (/^<a[\s>]/i.test(content)) return content.endsWith("</a>") ? 0 : 1;
  return /^<\/a[\s>]/i.test(content) ? -1 : 0;
}

function split(token: Token, names: ReadonlySet<string>): Token[] {
  const pieces: Token[] = [];
  let from = 0;
  const push = (type: string, nesting: -1 | 0 | 1, content: string): Token => {
    const piece = Object.assign(new (token.constructor as typeof Token)(type, "a", nesting), { content });
    pieces.push(piece);
    return piece;
  };
  for (const match of token.content.matchAll(MENTION)) {
    const name = String(match[1]).toLowerCase();
    if (!names.has(name)) continue;
    if (match.index > from) push("text", 0, token.content.slice(from, match.index));
    push("link_open", 1, "").attrSet("href", profilePath(name));
    push("text", 0, match[0]);
    push("link_close", -1, "");
    from = match.index + match[0].length;
  }
  if (from === 0) return [token];
  if (from < token.content.length) push("text", 0, token.content.slice(from));
  return pieces;
}
