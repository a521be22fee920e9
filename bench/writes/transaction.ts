import { type Prepared, prepare } from "../../src/articles/prepared.ts";
import * as writing from "../../src/articles/writing.ts";
import type { Db } from "../../src/db/connect.ts";
import { inTransaction } from "../../src/db/transaction.ts";
import { createRenderPool } from "../../src/text/render-pool.ts";
import type { Author } from "./people.ts";
import type { Text } from "./texts.ts";

/** What rendering made of some texts, and how long one took. */
export async function render(
  db: Db,
  texts: readonly Text[],
): Promise<{ bodies: Prepared[]; milliseconds: number }> {
  const pool = createRenderPool();
  try {
    // The first starts the threads.
    await prepare(db, pool, { ...texts[0] });
    const startedAt = performance.now();
    const bodies: Prepared[] = [];
    for (const text of texts) bodies.push((await prepare(db, pool, { ...text }))());
    return { bodies, milliseconds: (performance.now() - startedAt) / texts.length };
  } finally {
    await pool.close();
  }
}

/** Creates an article from what is rendered already: the transaction alone. Returns its number. */
export async function createRendered(
  db: Db,
  writer: Author,
  { title, body }: { title: string; body: Prepared },
): Promise<number> {
  const prepared = { ...body, attributes: { ...body.attributes, title } };
  const rules: writing.Rules = { now: new Date(), limits: undefined, contactEmail: "", posting: "everyone" };
  const { id } = await inTransaction(db, (tx) =>
    writing.create(tx, { writer, prepared: () => prepared, rules }),
  );
  return id;
}
