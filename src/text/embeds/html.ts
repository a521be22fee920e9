import MarkdownIt from "markdown-it";
import { highlight } from "../highlight.ts";
import { isHttpUrl } from "../urls.ts";
import type { Card } from "./cards.ts";

export const { escapeHtml: escape } = new MarkdownIt().utils;

export function cardHtml({ kind, href, text }: Card): string {
  return `<a class="embed embed-${kind}" href="${escape(href)}">${escape(text)}</a>`;
}

/** Undefined without a valid link. */
export function ctaHtml(argument: string, content: string): string | undefined {
  const href = /^\S*/.exec(argument)?.[0] ?? "";
  if (!isHttpUrl(href) && !/^\/[\w-]/.test(href)) return undefined;
  const text = content.replaceAll(/\s+/g, " ").trim() || href;
  return `<a class="cta" href="${escape(href)}">${escape(text)}</a>`;
}

export function codeHtml(language: string, content: string): string {
  const code = highlight(content, language) || escape(content);
  return `<code class="language-${language}">${code}</code>`;
}
