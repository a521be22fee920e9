import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { plainText } from "../text/plain-text.ts";
import { BAR, cleanHtml, PLAYER } from "./clean-html.ts";

export interface Source {
  html: string;
  /** The base of relative addresses. */
  base: string | undefined;
}

export interface Converted {
  markdown: string;
  text: string;
  /** The number of links and pictures whose addresses can't be used. */
  lost: number;
}

const MAX_TEXT_CHARACTERS = 2000;

/** Converts HTML to Markdown. Hostile input takes much time and memory. */
export function toMarkdown({ html, base }: Source): Converted {
  let lost = 0;
  const clean = cleanHtml(html, base, () => (lost += 1));
  const markdown = withBars(createConverter().turndown(clean));
  const text = plainText(clean.replaceAll(BAR, "|"));
  return {
    markdown: withoutFrontMatter(markdown),
    text: text.slice(0, MAX_TEXT_CHARACTERS),
    lost,
  };
}

function createConverter(): TurndownService {
  const converter = new TurndownService({
    headingStyle: "atx",
    // Three dashes at the top would begin a front matter.
    hr: "***",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    // An underscore inside of a word is no emphasis.
    emDelimiter: "*",
  });
  converter.use(gfm);
  converter.keep(["kbd", "ins", "mark", "sub", "sup"]);
  const escape = converter.escape.bind(converter);
  converter.escape = (text) => escapeMore(escape(text));
  converter.addRule("code", { filter: "pre", replacement: (_content, node) => fenced(node) });
  converter.addRule("link", {
    filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
    replacement: (content, node) => link(content, node),
  });
  return converter;
}

/** Escapes what turndown leaves as it is: HTML shown as text, strikethrough and embeds. */
function escapeMore(text: string): string {
  return (
    text
      .replaceAll(/<(?=[a-z/!?])/gi, String.raw`\<`)
      .replaceAll(/&(?=#?\w{1,31};)/g, String.raw`\&`)
      .replaceAll("~~", String.raw`\~\~`)
      .replaceAll("{%", String.raw`\{%`)
      // An escape in an address would be part of the link.
      .replaceAll(/https?:\/\/[^\s<]+/gi, (url) => url.replaceAll(/\\([_&~])/g, "$1"))
  );
}

const LANGUAGE = /(?:^|\s)(?:language|lang|brush|highlight-(?:source|text))[-:]\s*([a-z0-9+#-]{1,30})/i;

/** A code block with the language that it or its parent names. */
function fenced(block: HTMLElement): string {
  const inner = block.firstElementChild;
  const classes = [inner, block, block.parentElement].map((element) => element?.getAttribute("class") ?? "");
  const language = classes.map((names) => LANGUAGE.exec(names)?.[1]).find(Boolean) ?? "";
  const code = (block.textContent ?? "").replace(/^\n|\n+$/g, "");
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

/** A link without blocks; none around nothing. */
function link(content: string, anchor: HTMLElement): string {
  const href = anchor.getAttribute("href") ?? "";
  // The renderer embeds an address on a line of its own.
  if (anchor.getAttribute("class") === PLAYER) return `\n\n<${href}>\n\n`;
  const words = content.replaceAll(/\s*\n\s*/g, " ").trim();
  if (words === "") return "";
  const isBare = words.replaceAll("\\", "") === href && /^https?:/.test(href);
  return isBare ? `<${href}>` : `[${words}](${href.replaceAll(/[()\\]/g, String.raw`\$&`)})`;
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
