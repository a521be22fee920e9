import type { Db } from "../db/connect.ts";
import { AppError } from "../errors.ts";
import { inTransaction } from "../db/transaction.ts";
import { RENDERER_VERSION } from "../text/markdown.ts";
import type { RenderPool } from "../text/render-pool.ts";
import { render } from "./prepared.ts";

const BATCH = 50;

/** Renders again what an older renderer made, and returns how many listings there were. */
export async function renderAgain(db: Db, renderPool: RenderPool): Promise<number> {
  for (let total = 0, after = 0; ;) {
    const rows = await outdated(db, after);
    for (const row of rows) await renderOne(db, renderPool, row);
    total += rows.length;
    const last = rows.at(-1);
    if (!last) return total;
    after = last.id;
  }
}

interface Outdated {
  id: number;
  body_markdown: string;
}

function outdated(db: Db, after: number): Promise<Outdated[]> {
  return db
    .selectFrom("listings")
    .select(["id", "body_markdown"])
    .where("renderer_version", "<", RENDERER_VERSION)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BATCH)
    .execute();
}

/** What this renderer refuses keeps the HTML it has, and so does what somebody has written meanwhile. */
async function renderOne(db: Db, renderPool: RenderPool, { id, body_markdown }: Outdated): Promise<void> {
  try {
    const body = await render({ db, renderer: renderPool }, body_markdown);
    await inTransaction(db, (tx) =>
      tx
        .updateTable("listings")
        .set(body)
        .where("id", "=", id)
        .where("body_markdown", "=", body_markdown)
        .where("renderer_version", "<", RENDERER_VERSION)
        .execute(),
    );
  } catch (error) {
    if (!(error instanceof AppError && error.code === "invalid")) throw error;
  }
}
