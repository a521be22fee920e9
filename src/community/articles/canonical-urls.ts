import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { violatedUnique } from "../../platform/db/failures.ts";
import { anyInt } from "../../platform/db/values.ts";
import { type AppError, invalid } from "../../platform/errors.ts";
import type { ImportContext } from "../records/record-type.ts";
import { isClaimed } from "./publication-status.ts";
import type { ImportedArticle } from "./record-columns.ts";

interface Holder {
  id: number;
  author_id: number;
  title: string;
  slug: string;
  canonical_url: string;
}

async function findHolders(tx: Db, urls: string[]): Promise<Holder[]> {
  if (urls.length === 0) return [];
  // Constants, so that the planner matches the condition of the index.
  const { rows } = await sql<Holder>`
    select id, author_id, title, slug, canonical_url from articles
    where canonical_url = any(${urls}) and state in ('published', 'scheduled')`.execute(tx);
  return rows;
}

/** Canonical URLs of published and scheduled articles are unique. The message names only articles of the writer. */
export async function checkFree(
  tx: Db,
  { id, canonical_url }: { id: number | undefined; canonical_url: string },
  { writerId, contactEmail }: { writerId: number; contactEmail: string },
): Promise<void> {
  const [holder] = await findHolders(tx, [canonical_url]);
  if (!holder || holder.id === id) return;
  if (holder.author_id !== writerId) throw taken(contactEmail);
  throw invalid(
    `Canonical url has already been taken by your article ${JSON.stringify(holder.title)} (id ${holder.id})`,
  );
}

/** Refuses a canonical URL that another transaction claims at the same moment. */
export async function claimingCanonicalUrl<T>(contactEmail: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violatedUnique(error) === "articles_canonical_url") throw taken(contactEmail);
    throw error;
  }
}

function taken(contactEmail: string): AppError {
  const advice = contactEmail === "" ? "" : `. Email ${contactEmail} for further details.`;
  return invalid(`Canonical url has already been taken${advice}`);
}

export async function refuseTaken(
  tx: Db,
  rows: ImportedArticle[],
  context: ImportContext,
): Promise<ImportedArticle[]> {
  const claims = rows.flatMap(({ columns }) => claimOf(columns) ?? []);
  const holders = await findHolders(tx, claims);
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
export async function release(tx: Db, rows: ImportedArticle[]): Promise<void> {
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

function claimOf(columns: ImportedArticle["columns"]): string | null {
  return columns && isClaimed(columns.state ?? "") ? (columns.canonical_url ?? null) : null;
}

function findTaken(rows: ImportedArticle[], holders: Holder[]): Map<ImportedArticle, string> {
  const bySlug = new Map(rows.map((row) => [row.columns?.slug, row]));
  const owners = new Map(
    holders.flatMap(({ canonical_url: url, slug }) => {
      const row = bySlug.get(slug);
      return row === undefined || claimOf(row.columns) === url ? [[url, slug]] : [];
    }),
  );
  const taken = new Map<ImportedArticle, string>();
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
