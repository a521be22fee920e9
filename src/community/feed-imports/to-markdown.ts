import { createDocument } from "@mixmark-io/domino";
import { tables, taskListItems } from "@joplin/turndown-plugin-gfm";
import MarkdownIt from "markdown-it";
import TurndownService from "turndown";
import { knownCard } from "../../content/text/embeds/cards.ts";
import { wwwLinks } from "../../content/text/markdown/rules.ts";
import { plainText } from "../../content/text/plain-text.ts";
import { NO_REFERENCES } from "../../content/text/references.ts";
import { cleanHtml, PLAYER } from "./clean-html.ts";
import { flattenCode } from "./code.ts";
import { address, BAR, destination, emphasis, LINK, withoutAddresses, withoutMarks } from "./marks.ts";

export interface Source {
  html: string;
  base: string | undefined;
}

export interface Converted {
  markdown: string;
  text: string;
  /** Sentences, one for each part that is left out or becomes a link. */
  remarks: string[];
}

const MAX_TEXT_CHARACTERS = 2000;

/** Converts HTML to Markdown. Hostile input takes much time and memory. */
export function toMarkdown({ html, base }: Source): Converted {
  const { html: clean, remarks } = cleanHtml(html, base);
  const { body } = createDocument(clean, true);
  flattenCode(body);
  const markdown = withoutMarks(withBars(createConverter().turndown(body)));
  const text = plainText(clean.replaceAll(BAR, "|"));
  return {
    markdown: withoutFrontMatter(markdown),
    text: text.slice(0, MAX_TEXT_CHARACTERS),
    remarks,
  };
}

/** A table with such blocks stays HTML. */
const isCodeBlock = ({ nodeName }: Node) => nodeName === "PRE";

function createConverter(): TurndownService {
  const converter = new TurndownService({
    headingStyle: "atx",
    // Three dashes at the top would begin a front matter.
    hr: "***",
    bulletListMarker: "-",
  });
  Object.assign(converter, { isCodeBlock }).use([tables, taskListItems]);
  const escape = converter.escape.bind(converter);
  converter.escape = (text) => escapeAll(text, escape);
  converter.addRule("html", {
    filter: ["kbd", "ins", "mark", "sub", "sup"],
    replacement: (content, { localName }) => `<${localName}>${content}</${localName}>`,
  });
  converter.addRule("emphasis", {
    filter: ["b", "strong", "i", "em", "del", "s", "strike"] as TurndownService.TagName[],
    replacement: emphasis,
  });
  converter.addRule("code", { filter: "pre", replacement: (_content, node) => fenced(node) });
  converter.addRule("link", {
    filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
    replacement: (content, node) => link(content, node),
  });
  converter.addRule("picture", {
    filter: "img",
    replacement: (_content, node) => {
      const alt = converter.escape((node.getAttribute("alt") ?? "").replaceAll(/\s+/g, " "));
      return `![${alt.replaceAll("|", BAR)}](${destination(node.getAttribute("src") ?? "")})`;
    },
  });
  return converter;
}

const { linkify } = new MarkdownIt().use(wwwLinks);
const SCHEME = /(?<![a-z0-9+.-])(?:https?|ftp):\/\//gi;

/** Addresses that the renderer finds stay whole: an escape in one would be part of it. */
function escapeAll(text: string, escape: (text: string) => string): string {
  const found = [...text.matchAll(SCHEME)].flatMap(({ index }) => {
    const { raw } = linkify.matchAtStart(text.slice(index)) ?? {};
    return raw === undefined ? [] : { index, raw };
  });
  if (linkify.test(text)) found.push(...(linkify.match(text) ?? []));
  let [result, from] = ["", 0];
  for (const { index, raw } of found.toSorted((one, other) => one.index - other.index)) {
    if (index < from) continue;
    // A bar ends a cell, and signs at the end belong to the words around.
    const whole = raw.split(BAR, 1)[0]?.replace(/[*~`]+$/, "") ?? "";
    if (/[*`]/.test(whole[0] ?? "")) continue;
    result += escapeMore(escape(text.slice(from, index))) + address(whole);
    from = index + whole.length;
  }
  return result + escapeMore(escape(text.slice(from)));
}

/** Escapes what turndown leaves as it is: HTML shown as text, strikethrough and embeds. */
function escapeMore(text: string): string {
  return text
    .replaceAll(/<(?=[a-z/!?])/gi, String.raw`\<`)
    .replaceAll(/&(?=#?\w{1,31};)/g, String.raw`\&`)
    .replaceAll("~~", String.raw`\~\~`)
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`)
    .replaceAll("{%", String.raw`\{%`);
}

function fenced(block: HTMLElement): string {
  const code = block.textContent ?? "";
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `\n\n${fence}${block.className.replace("language-", "")}\n${code}\n${fence}\n\n`;
}

/** A link without blocks; none around nothing. */
function link(content: string, anchor: HTMLElement): string {
  const href = anchor.getAttribute("href") ?? "";
  if (anchor.className === PLAYER) return `\n\n${player(href)}\n\n`;
  const words = withoutAddresses(content)
    .replaceAll(/^#+ /gm, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
  if (words === "") return "";
  const isBare = anchor.textContent === href && /^https?:/.test(href);
  return isBare ? `<${href}>` : `${LINK}[${words}](${destination(href)})`;
}

/** The renderer reads no longer tags. */
const MAX_TAG = 900;

function player(href: string): string {
  const page = href.replaceAll("}", "%7D");
  const isKnown = page.length <= MAX_TAG && knownCard(page, NO_REFERENCES) !== undefined;
  return isKnown ? `{% embed ${page} %}` : `<${page}>`;
}

const WRAPPER = /^<div class="joplin-table-wrapper">(.*)<\/div>$/s;

/** Puts the bars of tables back: escaped in Markdown, as they are in HTML. */
function withBars(markdown: string): string {
  return markdown
    .split("\n\n")
    .map((block) => {
      const table = WRAPPER.exec(block)?.[1];
      return table === undefined ? block.replaceAll(BAR, String.raw`\|`) : table.replaceAll(BAR, "|");
    })
    .join("\n\n");
}

/** Keeps the top of a text from being read as front matter. */
function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^[\ufeff\s]+/, "").replace(/^---/, String.raw`\---`);
}
