import { type SafeHtml, sanitized } from "../../web/html.tsx";

export interface Code {
  language: string;
  text: string;
}

/** Makes HTML of Markdown. */
export type Render = (markdown: string) => Promise<string>;

/** Highlights pieces of code in the render worker, whose libraries this thread needn't load. */
export async function highlighted(render: Render, codes: readonly Code[]): Promise<SafeHtml[]> {
  const markdown = codes.map(({ language, text }) => `~~~~~${language}\n${text}\n~~~~~`).join("\n\n");
  const html = await render(markdown);
  return [...html.matchAll(/<pre>.*?<\/pre>/gs)].map(([block]) => sanitized(block));
}
