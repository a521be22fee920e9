import type { VNode } from "preact";
import { render } from "preact-render-to-string";

declare const SANITIZED: unique symbol;

/** The only HTML that a page may contain unescaped. */
export type SafeHtml = string & { readonly [SANITIZED]: true };

/** For a column that holds nothing but the sanitizer's output. */
export function sanitized(html: string): SafeHtml {
  return html as SafeHtml;
}

interface ProseProps {
  html: SafeHtml;
  lang?: string | undefined;
  /** The level of the heading that the text stands under. */
  under?: number;
  /** Of a text that isn't the only one on its page: goes before its ids. */
  scope?: string | undefined;
}

/** HTML of a text that the sanitizer wrote. */
export function Prose({ html, lang, under = 1, scope }: ProseProps) {
  const fitted = withOwnIds(underHeading(html, under), scope);
  return <div class="prose" lang={lang} dir="auto" dangerouslySetInnerHTML={{ __html: fitted }} />;
}

const HEADING_TAG = /(<\/?h)([1-6])(?=[ >])/g;

/** Moves the headings of a text below that of the page, so that voices read one outline. */
function underHeading(html: string, under: number): string {
  let highest = Infinity;
  for (const [, , level] of html.matchAll(HEADING_TAG)) highest = Math.min(highest, Number(level));
  const shift = under + 1 - highest;
  if (shift === 0 || !Number.isFinite(shift)) return html;
  return html.replace(HEADING_TAG, (_, tag: string, level) => tag + Math.min(Number(level) + shift, 6));
}

const TAG = /<[a-z][^>]*>/g;
const ID = / id="h-([^"]*)"/;

/** The ids of a text begin with `h-`; its author wrote links to them without. */
function withOwnIds(html: string, scope: string | undefined): string {
  if (!html.includes("#") && (scope === undefined || !html.includes(' id="'))) return html;
  const ids = new Set(Array.from(html.match(TAG) ?? [], (tag) => ID.exec(tag)?.[1]));
  const prefix = scope === undefined ? "h-" : `${scope}-h-`;
  return html.replace(TAG, (tag) =>
    tag
      .replace(ID, ` id="${prefix}$1"`)
      .replace(/ href="#(?:h-)?([^"]*)"/, (link, name: string) =>
        ids.has(plainName(name)) ? ` href="#${prefix}${name}"` : link,
      ),
  );
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The text of a script. JSON can't close it, nor begin a comment. */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

export function toDocument(page: VNode): string {
  return `<!doctype html>\n${render(page)}\n`;
}
