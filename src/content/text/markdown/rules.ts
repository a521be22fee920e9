import type { MarkdownIt, StateInline, Token } from "markdown-it";
import CHARACTERS from "markdown-it-emoji/lib/data/full.mjs";
import footnote from "markdown-it-footnote";
import { profilePath } from "../../../platform/paths.ts";
import { MENTION } from "../references.ts";
import { renderStateOf } from "./state.ts";

const EMOJI = new Map(Object.entries(CHARACTERS));
/** One shortcode or several without space between them, beside no letter, digit or colon. */
const SHORTCODES = /(?<![\p{L}\p{N}_:])(?::[a-z0-9_+-]{1,50}:)+(?![\p{L}\p{N}_:])/gu;

/** Reads the names of the emoji plugin, whose own rule takes quadratic time. Addresses are links by then. */
export function emoji(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.after("linkify", "emoji", ({ tokens }) => {
    for (const { type, content, children } of tokens)
      if (type === "inline" && content.includes(":")) readEmoji(children ?? []);
  });
}

function readEmoji(tokens: readonly Token[]): void {
  let isAddress = false;
  for (const token of tokens) {
    if (token.info === "auto") isAddress = token.type === "link_open";
    if (token.type === "text" && !isAddress)
      token.content = token.content.replaceAll(SHORTCODES, (codes) =>
        codes.replaceAll(/:([^:]+):/g, (code, name: string) => EMOJI.get(name) ?? code),
      );
    readEmoji(token.children ?? []);
  }
}

const LINE_END = /\n[ \t]*/y;
/** Some rules read all of the text that waits for its token. */
const MAX_PENDING = 1_000;

/** Tokens for line ends, and escaped quotes, would take most of the time of short lines. The sanitiser escapes the rest. */
export function plainLines(markdownIt: MarkdownIt): void {
  markdownIt.inline.ruler.at("newline", readLineEnd);
  markdownIt.renderer.rules.text = (tokens, at) =>
    (tokens[at]?.content ?? "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function readLineEnd(state: StateInline, silent: boolean): boolean {
  LINE_END.lastIndex = state.pos;
  const [end] = LINE_END.exec(state.src) ?? [];
  if (end === undefined) return false;
  state.pos += end.length;
  if (silent) return true;
  const text = state.pending.endsWith(" ") ? state.pending.replace(/(?<! ) +$/, "") : state.pending;
  const isHard = state.pending.length - text.length > 1;
  state.pending = isHard ? text : `${text}\n`;
  if (isHard) state.push("hardbreak", "br", 0);
  else if (text.length > MAX_PENDING) state.pushPending();
  return true;
}

const MAX_ID_CHARACTERS = 60;

/** Unique in the document, and prefixed against clashes with the page's own. */
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
      .replaceAll("\n", "")
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  return Array.from(words.join("-")).slice(0, MAX_ID_CHARACTERS).join("").replace(/-$/, "") || "section";
}

/** A thousand equal headings take no time. */
function firstFree(id: string, uses: Map<string, number>): string {
  const number = (uses.get(id) ?? 0) + 1;
  uses.set(id, number);
  return number === 1 ? id : firstFree(`${id}-${number}`, uses);
}

/** The sanitiser removes styles. */
export function tableAlignment(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push("table_alignment", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "th_open" && token.type !== "td_open") continue;
      const alignment = /^text-align:\s*(\w+)$/.exec(String(token.attrGet("style")))?.[1];
      if (alignment !== undefined) token.attrs = [["align", alignment]];
    }
  });
}

const BOX = /^\[([ xX])\](?=\s)/;

/** Draws the box of a task as a character, which feeds and mails show too. */
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

const MAX_LINK_CHARACTERS = 2000;

/** Most texts have no link, and the library's search is slow: it tries a class of many ranges on each character. */
const MAY_LINK = /\/\/|www\.|@/i;

/** Other names such as `README.md` are files. */
export function wwwLinks({ linkify }: MarkdownIt): void {
  const search = linkify.test.bind(linkify);
  linkify.test = (text) => MAY_LINK.test(text) && search(text);
  linkify.add("www.", {
    validate: (text, at, links) =>
      links.testSchemaAt(`//${text.slice(at, at + MAX_LINK_CHARACTERS)}`, "//", 2),
    normalize: (match) => {
      match.url = `https://${match.url}`;
    },
  });
}

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
