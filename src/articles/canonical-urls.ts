import type { Db } from "../db/connect.ts";
import { violatedUnique } from "../db/failures.ts";
import { type AppError, invalid } from "../errors.ts";
import * as queries from "./writing-queries.ts";

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
