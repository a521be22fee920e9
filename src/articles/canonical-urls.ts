import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { violatedUnique } from "../db/failures.ts";
import { anyInt, anyText } from "../db/values.ts";
import { type AppError, invalid } from "../errors.ts";
import type { ImportContext } from "../records/record-type.ts";
import type { Row } from "./record-row.ts";
import type { Columns } from "./record-store.ts";
import * as queries from "./writing-queries.ts";

/** Leaves out the rows whose canonical URL another published or scheduled article has and keeps. */
export async function refuseTaken(tx: Db, rows: Row[], context: ImportContext): Promise<Row[]> {
  const holders = await findHolders(tx, rows);
  // A row that is refused doesn't give up what its article has, which may refuse another row.
  for (let good = rows; ;) {
    const taken = findTaken(good, holders);
    if (taken.size === 0) return good;
    for (const [{ entry }, slug] of taken) {
      context.reject(entry, `Canonical url has already been taken by "${slug}"`);
    }
    good = good.filter((row) => !taken.has(row));
  }
}

/** Takes canonical URLs from the articles that give them up in favour of others: the index looks at every single row. */
export async function release(tx: Db, rows: Row[]): Promise<void> {
  const claims = new Set(rows.map(({ columns }) => claimOf(columns)));
  const ids = rows.flatMap(({ existing, columns }) => {
    const held = existing ? claimOf(existing) : null;
    return existing && held !== null && held !== claimOf(columns) && claims.has(held) ? existing.id : [];
  });
  if (ids.length === 0) return;
  await tx.updateTable("articles").set({ canonical_url: null }).where("id", "=", anyInt(ids)).execute();
}

/** The canonical URL that an article keeps others from having. */
function claimOf({ state, canonical_url }: Pick<Columns, "state" | "canonical_url">): string | null {
  return state === "published" || state === "scheduled" ? canonical_url : null;
}

/** The slugs of the articles that have what the rows claim, by canonical URL. */
async function findHolders(tx: Db, rows: Row[]): Promise<Map<string, string>> {
  const claims = rows.flatMap(({ columns }) => claimOf(columns) ?? []);
  if (claims.length === 0) return new Map();
  const holders = await tx
    .selectFrom("articles")
    .select(["slug", (eb) => eb.ref("canonical_url").$notNull().as("url")])
    .where("canonical_url", "=", anyText(claims))
    // As in the index, and no parameters, so that the planner knows it for the index's condition.
    .where(sql<boolean>`state in ('published', 'scheduled')`)
    .execute();
  return new Map(holders.map(({ url, slug }) => [url, slug]));
}

/** The rows that claim what is another's, with the slug of that other. */
function findTaken(rows: Row[], holders: Map<string, string>): Map<Row, string> {
  const bySlug = new Map(rows.map((row) => [row.columns.slug, row]));
  const owners = new Map(
    [...holders].filter(([url, slug]) => {
      const row = bySlug.get(slug);
      return row === undefined || claimOf(row.columns) === url;
    }),
  );
  const taken = new Map<Row, string>();
  for (const row of rows) {
    const url = claimOf(row.columns);
    if (url === null) continue;
    const owner = owners.get(url) ?? row.columns.slug;
    owners.set(url, owner);
    if (owner !== row.columns.slug) taken.set(row, owner);
  }
  return taken;
}

interface Claim {
  canonicalUrl: string;
  /** The article that claims it; undefined for a new one. */
  id: number | undefined;
  writerId: number;
  contactEmail: string;
}

/**
 * Refuses a canonical URL that another published or scheduled article has. Only of their own articles
 * people are told which.
 * @throws AppError invalid
 */
export async function checkFree(tx: Db, { canonicalUrl, id, writerId, contactEmail }: Claim): Promise<void> {
  const holder = await queries.holderOf(tx, canonicalUrl, id);
  if (!holder) return;
  if (holder.author_id !== writerId) throw taken(contactEmail);
  throw invalid(
    `Canonical url has already been taken by your article ${JSON.stringify(holder.title)} (id ${holder.id})`,
  );
}

/** Does what claims a canonical URL, which somebody may claim at the same moment. @throws AppError invalid */
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
