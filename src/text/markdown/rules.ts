import type { MarkdownIt, StateInline } from "markdown-it";
import CHARACTERS from "markdown-it-emoji/lib/data/full.mjs";

const SHORTCODE = /:([a-z0-9_+-]{1,50}):/y;
const WORD = /[\p{L}\p{N}_]/u;

/** With the plugin's names; its own rule takes quadratic time. */
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

/** As a sign, which feeds and mails show too. */
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

/** Other names such as `README.md` are files. */
export function wwwLinks({ linkify }: MarkdownIt): void {
  linkify.add("www.", {
    validate: (text, at, links) =>
      links.testSchemaAt(`//${text.slice(at, at + MAX_LINK_CHARACTERS)}`, "//", 2),
    normalize: (match) => {
      match.url = `https://${match.url}`;
    },
  });
}
