import type { Db } from "../db/connect.ts";
import { violatedUnique } from "../db/failures.ts";
import { type AppError, invalid } from "../errors.ts";
import * as queries from "./writing-queries.ts";

/**
 * Canonical URLs of published and scheduled articles are unique. The message names only articles of the writer.
 * @throws AppError invalid
 */
export async function checkFree(
  tx: Db,
  { id, canonical_url }: { id: number | undefined; canonical_url: string },
  { writerId, contactEmail }: { writerId: number; contactEmail: string },
): Promise<void> {
  const holder = await queries.holderOf(tx, canonical_url, id);
  if (!holder) return;
  if (holder.author_id !== writerId) throw taken(contactEmail);
  throw invalid(
    `Canonical url has already been taken by your article ${JSON.stringify(holder.title)} (id ${holder.id})`,
  );
}

/** Another transaction may claim the URL at the same moment. @throws AppError invalid */
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
