import { answerQuestions } from "../jobs/worker-side.ts";
import { renderMarkdown } from "./markdown.ts";
import type { RenderOptions } from "./markdown/state.ts";
import { plainText } from "./plain-text.ts";
import { readingMinutes } from "./reading-time.ts";

export interface Rendered {
  html: string;
  /** The beginning, without markup. */
  text: string;
  /** Sentences about tags shown as text. */
  warnings: string[];
  readingMinutes: number;
}

export interface Question {
  markdown: string;
  options: RenderOptions;
}

const MAX_TEXT_CHARACTERS = 2000;

/** The first body would take ten times longer than the next. */
const WARM_UP =
  "# A\n\n*b* `c` [d](https://example.com) <b>e</b>\n\n```js\nconst f = 1;\n```\n\n|g|h|\n|-|-|\n|1|2|\n\n{% youtube dQw4w9WgXcQ %} :tada: [^1]\n\n[^1]: i\n\n";

renderMarkdown(WARM_UP.repeat(20));
answerQuestions(({ markdown, options }: Question): Rendered => {
  const { html, warnings } = renderMarkdown(markdown, options);
  return {
    html,
    // Without splitting a surrogate pair.
    text: plainText(html)
      .slice(0, MAX_TEXT_CHARACTERS)
      .replace(/[\ud800-\udbff]$/, ""),
    warnings,
    readingMinutes: readingMinutes(markdown),
  };
});
