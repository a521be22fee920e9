import type { User } from "../actor.ts";
import { mayPost } from "../articles/articles.ts";
import type { Db } from "../db/connect.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import type { Settings } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";
import * as queries from "./queries.ts";

/** A feed that may be imported, with its user. */
export interface Admitted {
  source: queries.SourceRow;
  user: User;
  community: Settings;
}

/**
 * Reads a feed whose user may write articles.
 * @throws FetchProblem that says why nothing is imported
 */
export async function admit(db: Db, feedId: number): Promise<Admitted> {
  const source = await queries.find(db, feedId);
  if (!source) throw new FetchProblem("The feed has been removed.");
  if (source.suspended) throw new FetchProblem(`${source.username} is suspended, so nothing is imported.`);
  const community = await settings.read(db);
  const user = { id: source.user_id, role: source.role as User["role"] };
  if (mayPost(user, community)) return { source, user, community };
  throw new FetchProblem(
    `Only admins write here (the setting posting is admins), and ${source.username} is none, so nothing is imported.`,
  );
}
