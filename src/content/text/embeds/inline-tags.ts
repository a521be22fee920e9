import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { renderStateOf, warn } from "../markdown/state.ts";
import type { References } from "../references.ts";
import { knownCard } from "./cards.ts";
import {
  cardHtml,
  codeHtml,
  ctaHtml,
  type Ending,
  endingsIn,
  escape,
  type FoundTag,
  readTag,
  TAGS,
} from "./tags.ts";

interface Paragraph {
  endings: Ending[];
  raw: { from: number; to: number };
  lines: { at: number; count: number };
}

type Outcome = { html: string; end: number } | { problem: string };

const paragraphs = new WeakMap<StateInline, Paragraph>();

export function inlineTags(markdownIt: MarkdownIt): void {
  markdownIt.inline.ruler.before("backticks", "tag", read);
  markdownIt.renderer.rules["tag_text"] = (tokens, at) => escape(tokens[at]?.content ?? "");
}

function read(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax, env } = state;
  if (src[pos] !== "{" || src[pos + 1] !== "%") return false;
  const paragraph = paragraphOf(state);
  const { isRaw } = renderStateOf(env);
  if (pos > paragraph.raw.from && pos < paragraph.raw.to) return false;
  const tag = readTag(src, pos, posMax);
  if (!tag || (isRaw && tag.name !== "endraw")) return false;
  const isKnown = TAGS.has(tag.name.replace(/^end/, "")) || TAGS.has(tag.name);
  const outcome = isKnown ? become(state, tag) : undefined;
  const isText = outcome === undefined || "problem" in outcome;
  state.pos = isText ? tag.end : outcome.end;
  if (silent) return true;
  if (!isText) {
    if (outcome.html !== "") state.push("html_inline", "", 0).content = outcome.html;
    return true;
  }
  state.push("tag_text", "", 0).content = tag.raw;
  warn(env, { name: tag.name, line: lineOf(state, pos), problem: outcome?.problem });
  return true;
}

function become(state: StateInline, found: FoundTag): Outcome {
  const { env, src, posMax } = state;
  if (!found.isClosed) return { problem: "is not closed with %} on its line" };
  const tag = TAGS.get(found.name);
  if (!tag) return endTag(state, found);
  if (tag.form === "box") return { problem: `must begin its line, and {% end${found.name} %} too` };
  if (state.linkLevel > 0) return { problem: "stands in a link" };
  if (tag.form === "card") {
    // Options may follow the address.
    const [address = ""] = found.argument.split(/\s/, 1);
    const card = tag.cardOf(address, renderStateOf(env).references);
    return card ? { html: cardHtml(card), end: found.end } : { problem: `needs ${tag.needs}` };
  }
  const ending = paragraphOf(state).endings.find(
    ({ name, from }) => name === found.name && from >= found.end,
  );
  if (!ending || ending.to > posMax) return { problem: `has no {% end${found.name} %}` };
  if (tag.form === "raw") {
    paragraphOf(state).raw = { from: state.pos, to: ending.from };
    return { html: "", end: found.end };
  }
  const content = src.slice(found.end, ending.from);
  if (tag.form === "code") return { html: codeHtml(tag.language, content.trim()), end: ending.to };
  const html = ctaHtml(found.argument, content);
  return html === undefined ? { problem: "needs an http or https address" } : { html, end: ending.to };
}

function endTag(state: StateInline, { name, end }: FoundTag): Outcome {
  const line = lineOf(state, state.pos);
  const endsBlock = renderStateOf(state.env).rawRanges.some(({ to }) => to === line);
  const isRawEnd = name === "endraw" && (paragraphOf(state).raw.to === state.pos || endsBlock);
  return isRawEnd ? { html: "", end } : { problem: "closes nothing" };
}

function paragraphOf(state: StateInline): Paragraph {
  const known = paragraphs.get(state);
  if (known) return known;
  const paragraph: Paragraph = {
    endings: endingsIn(state.src),
    raw: { from: -1, to: -1 },
    lines: { at: 0, count: 0 },
  };
  paragraphs.set(state, paragraph);
  return paragraph;
}

function lineOf(state: StateInline, pos: number): number {
  const { lines } = paragraphOf(state);
  if (pos < lines.at) Object.assign(lines, { at: 0, count: 0 });
  for (
    let at = state.src.indexOf("\n", lines.at);
    at >= 0 && at < pos;
    at = state.src.indexOf("\n", at + 1)
  ) {
    lines.count += 1;
    lines.at = at + 1;
  }
  return renderStateOf(state.env).line + lines.count;
}

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
    const card = isBreak(children[at - 1], -1) ? cardAt(children, at, references) : undefined;
    if (card) at += 2;
    const token = card ?? children[at];
    if (token) shown.push(token);
  }
  return shown;
}

function cardAt(children: Token[], at: number, references: References): Token | undefined {
  const link = children[at];
  if (link?.type !== "link_open" || link.info !== "auto" || !isBreak(children[at + 3], 0)) return undefined;
  const card = knownCard(String(link.attrGet("href")), references, { isAlone: true });
  if (!card) return undefined;
  const html = new (link.constructor as typeof Token)("html_inline", "", 0);
  html.content = cardHtml(card);
  return html;
}

/** @param side of a text, where its line may end: 0 or -1 */
function isBreak(token: Token | undefined, side: number): boolean {
  if (token?.type === "text") return token.content.at(side) === "\n";
  return token === undefined || token.type === "hardbreak";
}
