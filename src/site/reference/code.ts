import type { RenderPool } from "../../text/render-pool.ts";
import { type SafeHtml, sanitized } from "../../web/html.tsx";

export interface Code {
  language: string;
  text: string;
}

/** Highlights pieces of code in the render worker, whose libraries this thread needn't load. */
export async function highlighted(pool: RenderPool, codes: readonly Code[]): Promise<SafeHtml[]> {
  const markdown = codes.map(({ language, text }) => `~~~~~${language}\n${text}\n~~~~~`).join("\n\n");
  const { html } = await pool.render(markdown);
  return [...html.matchAll(/<pre>.*?<\/pre>/gs)].map(([block]) => sanitized(block));
}
