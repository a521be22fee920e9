import { operator } from "../../src/actor.ts";
import * as articles from "../../src/articles/articles.ts";
import { findReferences } from "../../src/articles/rendering.ts";
import type { Db } from "../../src/db/connect.ts";
import { parseFrontMatter } from "../../src/text/front-matter.ts";
import { createRenderPool, type Renderer } from "../../src/text/render-pool.ts";
import type { Author } from "./people.ts";
import type { Text } from "./texts.ts";

type Rendered = Awaited<ReturnType<Renderer["render"]>>;

/** A text, rendered. */
export interface RenderedText {
  text: Text;
  rendered: Rendered;
}

/** Renders texts, and measures how long one took. */
export async function render(
  db: Db,
  texts: readonly Text[],
): Promise<{ bodies: RenderedText[]; milliseconds: number }> {
  const pool = createRenderPool();
  const renderOne = async (text: Text): Promise<RenderedText> => {
    const { body } = parseFrontMatter(text.body_markdown);
    const references = await findReferences(db, [text.body_markdown], pool);
    return { text, rendered: await pool.render(body, { references }) };
  };
  try {
    // The first starts the threads.
    if (texts[0]) await renderOne(texts[0]);
    const startedAt = performance.now();
    const bodies: RenderedText[] = [];
    for (const text of texts) bodies.push(await renderOne(text));
    return { bodies, milliseconds: (performance.now() - startedAt) / texts.length };
  } finally {
    await pool.close();
  }
}

/** Creates an article from a rendered text: all but the rendering. Returns its number. */
export async function createRendered(
  db: Db,
  user: Author,
  { title, body }: { title: string; body: RenderedText },
): Promise<number> {
  const renderer = { baseUrl: "", render: () => Promise.resolve(body.rendered) };
  const actor = { ...operator(db), user, renderer };
  const { row } = await articles.create(actor, { given: { ...body.text, title } });
  return row.id;
}
