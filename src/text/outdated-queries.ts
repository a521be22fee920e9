import type { Db } from "../db/connect.ts";
import { RENDERER_VERSION } from "./renderer-version.ts";

/** Tables of bodies with what was made of them. */
export type BodyTable = "articles" | "comments" | "listings";

/** A body whose HTML an older renderer made. */
export interface Outdated {
  id: number;
  renderer_version: number;
  body_markdown: string;
}

/** Those behind a place, the oldest renderer's first. */
export function outdatedAfter(
  db: Db,
  table: BodyTable,
  { after, limit }: { after: Pick<Outdated, "renderer_version" | "id">; limit: number },
): Promise<Outdated[]> {
  return db
    .selectFrom(table)
    .select(["id", "renderer_version", "body_markdown"])
    .where("renderer_version", "<", RENDERER_VERSION)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("renderer_version", "id"), ">", tuple(after.renderer_version, after.id)),
    )
    .orderBy("renderer_version")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Replaces the HTML, unless somebody has written meanwhile. */
export async function replaceHtml(
  tx: Db,
  table: BodyTable,
  { id, body_markdown, body_html }: { id: number; body_markdown: string; body_html: string },
): Promise<void> {
  await tx
    .updateTable(table)
    .set({ body_html, renderer_version: RENDERER_VERSION })
    .where("id", "=", id)
    .where("body_markdown", "=", body_markdown)
    .where("renderer_version", "<", RENDERER_VERSION)
    .execute();
}
