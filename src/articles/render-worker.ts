import { answerQuestions } from "../jobs/worker-side.ts";
import { bodyTerms } from "../search/vector.ts";
import { renderMarkdown } from "../text/markdown.ts";
import { plainText } from "../text/plain-text.ts";
import { readingMinutes } from "../text/reading-time.ts";
import type { Question, Rendered } from "../text/render-pool.ts";

const MAX_TEXT_CHARACTERS = 2000;

/** The first body would take ten times longer than the next. */
const WARM_UP =
  "# A\n\n*b* `c` [d](https://example.com) <b>e</b>\n\n```js\nconst f = 1;\n```\n\n|g|h|\n|-|-|\n|1|2|\n\n{% youtube dQw4w9WgXcQ %} :tada: [^1]\n\n[^1]: i\n\n";

renderMarkdown(WARM_UP.repeat(20));
answerQuestions(({ markdown, options }: Question): Rendered => {
  const { html, warnings } = renderMarkdown(markdown, options);
  const { searchLanguage: language } = options;
  return {
    html,
    // Without splitting a surrogate pair.
    text: plainText(html)
      .slice(0, MAX_TEXT_CHARACTERS)
      .replace(/[\ud800-\udbff]$/, ""),
    warnings,
    readingMinutes: readingMinutes(markdown),
    ...(language && { terms: bodyTerms(markdown, language) }),
  };
});
