import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as search from "../search/rows.ts";
import { describe } from "../text/description.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { RENDERER_VERSION } from "../text/renderer-version.ts";
import { plainText } from "../text/plain-text.ts";
import type { RenderPool } from "../text/render-pool.ts";
import * as again from "../text/rendering-again.ts";
import * as publication from "./publication.ts";
import * as references from "./references.ts";
import * as queries from "./rendering-queries.ts";
import { type RenderedBody, renderBody } from "./rendering.ts";

/**
 * Renders again what an older renderer made, one article after the other, and returns how many there
 * were. Until its turn has come each is read as it was.
 */
export function renderAgain(db: Db, renderPool: RenderPool): Promise<number> {
  return again.renderAgain(db, "articles", async (row) => {
    const found = await references.find(db, [row.body_markdown], renderPool);
    const { body } = parseFrontMatter(row.body_markdown);
    const rendered = await renderBody(renderPool, { markdown: row.body_markdown, body }, found);
    await inTransaction(db, (tx) => replace(tx, row, rendered));
  });
}

/** Replaces the HTML and a description that was made from it, unless somebody has written meanwhile. */
async function replace(
  tx: Db,
  { id, body_markdown }: again.Outdated,
  { html, text }: RenderedBody,
): Promise<void> {
  const row = await queries.lockRendered(tx, id, body_markdown);
  if (!row || row.renderer_version >= RENDERER_VERSION) return;
  const isMade = row.description === describe(plainText(row.body_html), row.author_name);
  const description = isMade ? describe(text, row.author_name) : row.description;
  await queries.replaceHtml(tx, { id, html, description, version: RENDERER_VERSION });
  if (description === row.description || row.state !== "published") return;
  await search.remove(tx, [id]);
  await publication.index(tx, [id]);
}
