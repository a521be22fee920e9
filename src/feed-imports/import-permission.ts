import type { Writer } from "../articles/writing.ts";
import type { Rules } from "../articles/writing.ts";
import { mayPost } from "../articles/writing.ts";
import type { Db } from "../db/connect.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import * as settings from "../settings/settings.ts";
import * as queries from "./queries.ts";

/** Somebody whose feed may be taken in, and by which rules. */
export interface Admitted {
  source: queries.SourceRow;
  writer: Writer;
  rules: Rules;
}

/**
 * The feed, if its person may write. Limits of how often people may write are for people.
 * @throws FetchProblem that says why nothing is taken in
 */
export async function admit(db: Db, feedId: number, now: Date): Promise<Admitted> {
  const source = await queries.find(db, feedId);
  if (!source) throw new FetchProblem("The feed has been removed.");
  if (source.suspended) throw new FetchProblem(`${source.username} is suspended, so nothing is imported.`);
  const { posting, contact_email: contactEmail } = await settings.read(db);
  const writer = { id: source.user_id, role: source.role };
  const rules = { now, limits: undefined, contactEmail, posting };
  if (mayPost(writer, rules)) return { source, writer, rules };
  throw new FetchProblem(
    `Only admins write here (the setting posting is admins), and ${source.username} is none, so nothing is imported.`,
  );
}
