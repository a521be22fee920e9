import { answerQuestions } from "../../platform/jobs/worker-side.ts";
import { bodyTerms } from "../../search/index/vector.ts";
import { renderMarkdown } from "../../content/text/markdown.ts";
import { bodyPage } from "../../content/text/page-html.ts";
import { runningText } from "../../content/text/plain-text.ts";
import { readingMinutes } from "../../content/text/reading-time.ts";
import type { Question, Rendered } from "../../content/text/render-pool.ts";

/** The first body would take ten times longer than the next. */
const WARM_UP =
  "# A\n\n*b* `c` [d](https://example.com) <b>e</b>\n\n```js\nconst f = 1;\n```\n\n|g|h|\n|-|-|\n|1|2|\n\n{% youtube dQw4w9WgXcQ %} :tada: [^1]\n\n[^1]: i\n\n";

renderMarkdown(WARM_UP.repeat(20));
answerQuestions(({ markdown, options }: Question): Rendered => {
  const { html, warnings } = renderMarkdown(markdown, options);
  const { isArticle = false, searchLanguage } = options;
  const page = isArticle ? bodyPage(html) : undefined;
  return {
    html,
    text: runningText(html),
    warnings,
    readingMinutes: readingMinutes(markdown),
    ...(page && { page }),
    ...(searchLanguage && { terms: bodyTerms(markdown, searchLanguage, page?.language) }),
  };
});
