import * as references from "../articles/references.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { RENDERER_VERSION } from "../text/markdown.ts";
import type { RenderPool } from "../text/render-pool.ts";
import * as queries from "./rendering-queries.ts";

const RENDER_BATCH = 100;

/**
 * Renders again what an older renderer made, and returns how many comments there were. Until its turn
 * has come each is read as it was.
 */
export async function renderAgain(db: Db, renderPool: RenderPool): Promise<number> {
  let after: queries.RenderPlace = { renderer_version: -1, id: 0 };
  for (let total = 0; ;) {
    const batch = await queries.renderedBefore(db, RENDERER_VERSION, { after, limit: RENDER_BATCH });
    for (const row of batch) await renderOne(db, renderPool, row);
    total += batch.length;
    const last = batch.at(-1);
    if (!last) return total;
    after = last;
  }
}

async function renderOne(
  db: Db,
  renderPool: RenderPool,
  { id, body_markdown: markdown }: queries.Outdated,
): Promise<void> {
  try {
    const found = await references.find(db, [markdown], renderPool);
    const { html } = await renderPool.render(markdown, { references: found });
    const rendered = { id, markdown, html, version: RENDERER_VERSION };
    await inTransaction(db, (tx) => queries.replaceHtml(tx, rendered));
  } catch (error) {
    // What this renderer refuses keeps the HTML it has.
    if (!(error instanceof AppError && error.code === "invalid")) throw error;
  }
}
