import { fitted } from "../../content/text/page-html.ts";

declare const SANITIZED: unique symbol;

/** The only HTML that a page may contain unescaped. */
export type SafeHtml = string & { readonly [SANITIZED]: true };

/** Takes the HTML of a column that holds nothing but the sanitizer's output. */
export function sanitized(html: string): SafeHtml {
  return html as SafeHtml;
}

interface ProseProps {
  html: SafeHtml;
  /** Whether the HTML was made for its page when it was stored. */
  isFitted?: boolean;
  lang?: string | undefined;
  /** The level of the heading that the text stands under. */
  under?: number | undefined;
  /** Goes before the ids of a text that isn't the only one on its page. */
  scope?: string | undefined;
}

/** HTML of a text that the sanitizer wrote. */
export function Prose({ html, isFitted = false, lang, under, scope }: ProseProps) {
  const shown = isFitted ? html : fitted(html, { under, scope });
  return <div class="prose" lang={lang} dir="auto" dangerouslySetInnerHTML={{ __html: shown }} />;
}
