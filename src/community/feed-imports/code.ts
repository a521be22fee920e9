import { highlight } from "../../content/text/highlight.ts";
import { LINE_END } from "./marks.ts";

export const GUTTER =
  /(?:^|[\s-])(?:gutter|line-?no\w*|line-?num\w*|lnt?|lntd|ln-n\w*|blob-num|crayon-nums?)(?:\s|$)/i;

/** Makes each block of code a `pre` with nothing but its lines, and a class for its language. */
export function flattenCode(root: Element): void {
  for (const cell of root.querySelectorAll("td, th, div, span, a")) {
    if (!isGutter(cell)) continue;
    cell.closest("table")?.setAttribute("data-code", "");
    cell.remove();
  }
  for (const element of root.querySelectorAll("pre, table, code")) {
    if (!element.isConnected || !isBlock(element)) continue;
    const code = linesOf(element);
    const block = element.ownerDocument.createElement("pre");
    block.textContent = element.parentElement?.closest("table") ? code.replaceAll("\n", LINE_END) : code;
    const language = languageOf(element);
    if (language !== undefined) block.className = `language-${language}`;
    // Pictures stay.
    element.replaceWith(...(code.trim() === "" ? element.childNodes : [block]));
  }
}

function isGutter(element: Element): boolean {
  if (!GUTTER.test(element.className) && !element.hasAttribute("data-line-number")) return false;
  const isLast = /^T[DH]$/.test(element.nodeName) && element.nextElementSibling === null;
  return !isLast && /^[\s\d.:|]*$/.test(element.textContent);
}

/** Tables with line numbers or a single `pre` are blocks too, and so is code with several lines. */
function isBlock(element: Element): boolean {
  if (element.nodeName === "CODE") return Boolean(element.querySelector("br"));
  if (element.nodeName === "PRE" || element.hasAttribute("data-code")) return true;
  return element.querySelector("pre")?.textContent.trim() === element.textContent.trim();
}

const INLINE = "a|b|strong|i|em|del|s|strike|ins|mark|sub|sup|code|kbd|span|img|input";
const BLOCK = String.raw`<\/?(?!(?:${INLINE})\b)[a-z][^>]*>`;
/** The beginnings and ends of elements between two lines, and the line ends of the source beside them. */
const BETWEEN = new RegExp(
  String.raw`(?:${LINE_END})?(?:[ \t]*\n)*[ \t]*${BLOCK}(?:\s*${BLOCK})*(?:[ \t]*\n)*`,
  "g",
);

/** Space in a table that no cell has. */
const BESIDE_CELLS = /\s*(<\/?t(?:able|head|body|foot|r|d|h)\b[^>]*>)(?:\s+(?=<))?/g;

function linesOf(element: Element): string {
  const block = element.ownerDocument.createElement("pre");
  block.innerHTML = element.innerHTML
    .replaceAll(BESIDE_CELLS, "$1")
    .replaceAll(/<br[^>]*>(?:[ \t]*\n)?/g, LINE_END)
    .replaceAll(/<\/t[dh]>\s*<t[dh]\b[^>]*>/g, "\t")
    .replaceAll(BETWEEN, (all) => {
      const ends = all.split(/<[^>]*>/).map((part) => part.split("\n").length - 1);
      return "\n".repeat(Math.max(1, ...ends));
    })
    .replaceAll("&nbsp;", " ");
  return block.textContent.replaceAll(LINE_END, "\n").replace(/^\n|\n+$/g, "");
}

const NAMED = /(?:^|\s)(?:language|lang|brush|highlight-(?:source|text))[-:]\s*([a-z0-9+#._-]+)/i;
const HIGHLIGHTED = /(?:^|\s)(?:highlight|hljs|sourcecode|codehilite|syntaxhighlighter)(?:\s|$)/i;
/** How many elements around code may name its language. */
const MAX_STEPS = 7;

function languageOf(code: Element): string | undefined {
  const elements = [...code.querySelectorAll("pre, table, code"), code];
  for (let at = code.parentElement; at && elements.length < MAX_STEPS; at = at.parentElement)
    elements.push(at);
  return elements.flatMap(languagesIn).find(isLanguage);
}

function languagesIn(element: Element): string[] {
  const names = element.className;
  const given = ["data-lang", "data-language", "data-enlighter-language", "lang"].map((name) =>
    element.getAttribute(name),
  );
  const isOfCode = /^(?:PRE|CODE)$/.test(element.nodeName) || HIGHLIGHTED.test(names);
  return [
    ...given.map(String),
    NAMED.exec(names)?.[1] ?? "",
    ...(isOfCode ? names.split(/\s+/).filter(isKnown) : []),
  ];
}

const isKnown = (name: string) => highlight("a", name) !== "";

/** `en` is no language of code. */
const isLanguage = (name: string) =>
  /^[a-z0-9+#._-]{1,30}$/i.test(name) && (isKnown(name) || !/^(?:[a-z]{2}(?:-[a-z]+)?|null)$/i.test(name));
