import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import * as queries from "./outdated-queries.ts";

export type { Outdated } from "./outdated-queries.ts";

const BATCH = 50;

/**
 * Has what an older renderer made rendered again, one body after the other, and returns how many there
 * were. Until its turn has come each is read as it was, and what this renderer refuses keeps the HTML it has.
 */
export async function renderAgain(
  db: Db,
  table: queries.BodyTable,
  renderOne: (row: queries.Outdated) => Promise<void>,
): Promise<number> {
  let after = { renderer_version: -1, id: 0 };
  for (let total = 0; ;) {
    const batch = await queries.outdatedAfter(db, table, { after, limit: BATCH });
    for (const row of batch) await renderOne(row).catch(passRefusal);
    total += batch.length;
    const last = batch.at(-1);
    if (!last) return total;
    after = last;
  }
}

/** The same where the HTML is all that is made of a body. */
export function renderHtmlAgain(
  db: Db,
  table: queries.BodyTable,
  render: (markdown: string) => Promise<string>,
): Promise<number> {
  return renderAgain(db, table, async ({ id, body_markdown }) => {
    const row = { id, body_markdown, body_html: await render(body_markdown) };
    await inTransaction(db, (tx) => queries.replaceHtml(tx, table, row));
  });
}

function passRefusal(error: unknown): void {
  if (!(error instanceof AppError && error.code === "invalid")) throw error;
}
