import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import type { ImportContext } from "../records/record-type.ts";
import type { ArticleRow } from "./record-columns.ts";

/** Skips rows whose canonical URL another published or scheduled article keeps. */
export async function refuseTaken(tx: Db, rows: ArticleRow[], context: ImportContext): Promise<ArticleRow[]> {
  const holders = await findHolders(tx, rows);
  // A refused row doesn't release its own URL, which may refuse another row.
  for (let good = rows; ;) {
    const taken = findTaken(good, holders);
    if (taken.size === 0) return good;
    for (const [{ entry }, slug] of taken) {
      context.reject(entry, `Canonical url has already been taken by "${slug}"`);
    }
    good = good.filter((row) => !taken.has(row));
  }
}

/** The index checks every row, so URLs are released before they are taken. */
export async function release(tx: Db, rows: ArticleRow[]): Promise<void> {
  const claims = new Set(rows.map(({ columns }) => claimOf(columns)));
  const releasing = rows.flatMap(({ existing, columns }) => {
    const held = claimOf(existing);
    return existing && held !== null && held !== claimOf(columns) && claims.has(held) ? existing : [];
  });
  if (releasing.length === 0) return;
  const ids = releasing.map(({ id }) => id);
  await tx.updateTable("articles").set({ canonical_url: null }).where("id", "=", anyInt(ids)).execute();
  // The following update compares with it.
  for (const existing of releasing) existing.canonical_url = null;
}

function claimOf(columns: ArticleRow["columns"]): string | null {
  const isHeld = columns?.state === "published" || columns?.state === "scheduled";
  return isHeld ? (columns.canonical_url ?? null) : null;
}

/** The slugs of their holders, by canonical URL. */
async function findHolders(tx: Db, rows: ArticleRow[]): Promise<Map<string, string>> {
  const claims = rows.flatMap(({ columns }) => claimOf(columns) ?? []);
  if (claims.length === 0) return new Map();
  // Constants, so that the planner matches the condition of the index.
  const { rows: holders } = await sql<{ url: string; slug: string }>`
    select canonical_url as url, slug from articles
    where canonical_url = any(${claims}) and state in ('published', 'scheduled')`.execute(tx);
  return new Map(holders.map(({ url, slug }) => [url, slug]));
}

/** With the slugs of their holders. */
function findTaken(rows: ArticleRow[], holders: Map<string, string>): Map<ArticleRow, string> {
  const bySlug = new Map(rows.map((row) => [row.columns?.slug, row]));
  const owners = new Map(
    [...holders].filter(([url, slug]) => {
      const row = bySlug.get(slug);
      return row === undefined || claimOf(row.columns) === url;
    }),
  );
  const taken = new Map<ArticleRow, string>();
  for (const row of rows) {
    const url = claimOf(row.columns);
    if (url === null) continue;
    const slug = row.columns?.slug ?? "";
    const owner = owners.get(url) ?? slug;
    owners.set(url, owner);
    if (owner !== slug) taken.set(row, owner);
  }
  return taken;
}
