import { renderHtml } from "../articles/rendering.ts";
import type { Db } from "../db/connect.ts";
import type { RenderPool } from "../text/render-pool.ts";
import { renderHtmlAgain } from "../text/rendering-again.ts";

/** Renders again what an older renderer made, and returns how many listings there were. */
export function renderAgain(db: Db, renderPool: RenderPool): Promise<number> {
  return renderHtmlAgain(db, "listings", (markdown) => renderHtml(db, renderPool, markdown));
}
