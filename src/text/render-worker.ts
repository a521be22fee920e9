import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./markdown.ts";
import type { RenderOptions } from "./markdown/surroundings.ts";
import { plainText } from "./plain-text.ts";

export interface Rendered {
  html: string;
  /** The beginning of the body's text on one line. */
  text: string;
  /** The tags that are shown as text, in sentences. */
  warnings: string[];
}

/** What the worker is asked. */
export interface Question {
  markdown: string;
  options: RenderOptions;
}

/** What the worker answers: once that it is ready, then one per body. */
export type Answer = { ready: true } | { rendered: Rendered } | { failure: Error };

const MAX_TEXT_CHARACTERS = 2000;

/** Runs the code once before anybody waits for it; the first rendering is ten times slower than the next. */
const WARM_UP =
  "# A\n\n*b* `c` [d](https://example.com) <b>e</b>\n\n```js\nconst f = 1;\n```\n\n|g|h|\n|-|-|\n|1|2|\n\n{% youtube dQw4w9WgXcQ %} :tada: [^1]\n\n[^1]: i\n\n";

renderMarkdown(WARM_UP.repeat(20));
parentPort?.on("message", (question: Question) => answer(respond(question)));
answer({ ready: true });

function answer(message: Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function respond({ markdown, options }: Question): Answer {
  try {
    const { html, warnings } = renderMarkdown(markdown, options);
    return { rendered: { html, text: beginning(plainText(html)), warnings } };
  } catch (error) {
    return { failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Cuts the text without taking a character apart. */
function beginning(text: string): string {
  return text.slice(0, MAX_TEXT_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
}
