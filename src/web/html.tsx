import type { VNode } from "preact";
import { render } from "preact-render-to-string";

declare const SANITIZED: unique symbol;

/** The only HTML that a page may contain unescaped. */
export type SafeHtml = string & { readonly [SANITIZED]: true };

/** For a column that holds nothing but the sanitizer's output. */
export function sanitized(html: string): SafeHtml {
  return html as SafeHtml;
}

/** Boxes that may be wider than the page scroll by themselves, and so by keyboard. */
const WIDE = /<(pre|table)(?=[ >])/g;

/** HTML of a text that the sanitizer wrote. */
export function Prose({ html, lang }: { html: SafeHtml; lang?: string | undefined }) {
  return (
    <div
      class="prose"
      lang={lang}
      dir="auto"
      dangerouslySetInnerHTML={{ __html: html.replace(WIDE, '<$1 tabindex="0"') }}
    />
  );
}

/** The text of a script. JSON can't close it, nor begin a comment. */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

export function toDocument(page: VNode): string {
  return `<!doctype html>\n${render(page)}\n`;
}
