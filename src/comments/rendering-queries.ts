import type { Db } from "../db/connect.ts";

/** Where a walk through comments by the version of their renderer stands. */
export interface RenderPlace {
  renderer_version: number;
  id: number;
}

/** Comments whose HTML an older renderer made, behind a place, the oldest renderer's first. */
export function renderedBefore(
  db: Db,
  version: number,
  { after, limit }: { after: RenderPlace; limit: number },
) {
  return db
    .selectFrom("comments")
    .select(["id", "renderer_version", "body_markdown"])
    .where("renderer_version", "<", version)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("renderer_version", "id"), ">", tuple(after.renderer_version, after.id)),
    )
    .orderBy("renderer_version")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export type Outdated = Awaited<ReturnType<typeof renderedBefore>>[number];

/** Replaces what was made of a body, unless somebody has written meanwhile. */
export async function replaceHtml(
  db: Db,
  { id, markdown, html, version }: { id: number; markdown: string; html: string; version: number },
): Promise<void> {
  await db
    .updateTable("comments")
    .set({ body_html: html, renderer_version: version })
    .where("id", "=", id)
    .where("body_markdown", "=", markdown)
    .where("renderer_version", "<", version)
    .execute();
}
