import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

const KNOWN_MS = 90 * 86_400_000;

/** A browser that was last used earlier counts as a new one. */
const knownSince = (now: Date) => new Date(now.getTime() - KNOWN_MS);

/** The same for each version of a browser. */
export const hashOf = (browser: RawBuilder<unknown>) =>
  sql`sha256(convert_to(regexp_replace(${browser}, '[0-9._]+', '', 'g'), 'UTF8'))`;

/** Part of a statement: notes the browsers in `signed_in`. */
export const note = (now: Date) => sql`
  insert into known_browsers (user_id, sha256, seen_at)
  select user_id, ${hashOf(sql`browser`)}, ${now} from signed_in
  on conflict (user_id, sha256) do update set seen_at = excluded.seen_at`;

/** Part of the same statement, which sees what was known before it: the new ones in `signed_in`, as rows of mails. */
export const newOnes = (now: Date) => sql`
  select user_id, null::text, jsonb_build_object('browser', browser, 'network', network) from signed_in
  where exists (select from known_browsers where user_id = signed_in.user_id) and not exists (
    select from known_browsers
    where user_id = signed_in.user_id and sha256 = ${hashOf(sql`signed_in.browser`)} and seen_at > ${knownSince(now)}
  )`;

/** Removes those that count as new, but for the last one of a user, who would have no first one otherwise. */
export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from known_browsers as old where seen_at <= ${knownSince(now)}
      and exists (select from known_browsers where user_id = old.user_id and seen_at > old.seen_at)`.execute(
    db,
  );
}
