import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { faultIn } from "../../platform/text/valid-text.ts";
import { readAddress } from "./names.ts";

export interface Account {
  id: number;
  password_hash: string | null;
  suspended: boolean;
  email: string | null;
  waits: boolean;
}

/** The key by which logins are looked up and counted: lower case, NFC. */
export function toLogin(typed: string): string {
  const login = typed.normalize("NFC").trim().toLowerCase();
  return readAddress(login) ?? login;
}

/** The account or application with a username or an e-mail address: a confirmed one, or one that nobody else has given. */
export async function findByLogin(db: Db, typed: string): Promise<Account | undefined> {
  const login = toLogin(typed);
  if (faultIn(login) !== undefined) return undefined;
  const column = login.includes("@") ? sql`lower(email)` : sql`username`;
  const { rows } = await sql<Account & { rank: number }>`
    select id, password_hash, suspended, email, false as waits, 1 as rank from users where ${column} = lower(${login})
    union all
    select id, password_hash, suspended, null, false, 2 from unconfirmed_addresses join users on users.id = user_id
    where lower(address) = lower(${login}) and email is null
    union all
    select id, password_hash, false, null, true, 2 from sign_ups
    where state = 'applied' and ${column} = lower(${login})
    order by rank limit 2`.execute(db);
  const [found, other] = rows;
  return found?.rank === other?.rank ? undefined : found;
}
