import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";

/** Bodies of another version are rendered again. */
export const RENDERER_VERSION = 4;
const BATCH = 50;

export interface Outdated {
  id: number;
  renderer_version: number;
  body_markdown: string;
}

/** Returns the number of bodies. Those that this renderer refuses keep their HTML. */
export async function rerender(
  db: Db,
  table: "articles" | "comments" | "listings",
  renderOne: (row: Outdated) => Promise<void>,
): Promise<number> {
  let after = { renderer_version: -1, id: 0 };
  for (let total = 0; ;) {
    const batch = await db
      .selectFrom(table)
      .select(["id", "renderer_version", "body_markdown"])
      .where("renderer_version", "<", RENDERER_VERSION)
      .where(sql<boolean>`(renderer_version, id) > (${after.renderer_version}, ${after.id})`)
      .orderBy("renderer_version")
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const row of batch)
      await renderOne(row).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === "invalid")) throw error;
      });
    total += batch.length;
    const last = batch.at(-1);
    if (!last) return total;
    after = last;
  }
}

const TABLES = ["articles", "comments", "listings"] as const;

/** Has bodies rendered again that name these addresses: links to the site itself are rendered otherwise. */
export async function outdateLinks(tx: Db, baseUrls: readonly string[]): Promise<number> {
  let total = 0;
  for (const table of TABLES) {
    const { rows } = await sql`
      update ${sql.table(table)} set renderer_version = 0
      where exists (select from unnest(${baseUrls}::text[]) as site (url) where position(url in body_markdown) > 0)
      returning id`.execute(tx);
    total += rows.length;
  }
  return total;
}

/** The HTML of a body that is stored, unless another one or another version of the renderer is. */
export async function htmlOf(
  stored: { body_markdown: string; body_html: string; renderer_version: number } | undefined,
  markdown: string,
  render: () => Promise<{ html: string }>,
): Promise<string> {
  const isRendered = stored?.body_markdown === markdown && stored.renderer_version === RENDERER_VERSION;
  return isRendered ? stored.body_html : (await render()).html;
}

export function rerenderHtml(
  db: Db,
  table: "comments" | "listings",
  render: (markdown: string) => Promise<string>,
): Promise<number> {
  return rerender(db, table, async ({ id, body_markdown }) => {
    const body_html = await render(body_markdown);
    await inTransaction(db, (tx) =>
      tx
        .updateTable(table)
        .set({ body_html, renderer_version: RENDERER_VERSION })
        .where("id", "=", id)
        // A body that has changed meanwhile stays.
        .where("body_markdown", "=", body_markdown)
        .where("renderer_version", "<", RENDERER_VERSION)
        .execute(),
    );
  });
}
