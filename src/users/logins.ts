import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { faultIn } from "../text/valid-text.ts";
import { readAddress } from "./names.ts";

export interface Account {
  id: number;
  password_hash: string | null;
  suspended: boolean;
  /** A confirmed one. */
  email: string | null;
}

/** A username or an e-mail address as it is compared, and as what is done with it counts. */
export function toLogin(typed: string): string {
  const login = typed.normalize("NFC").trim().toLowerCase();
  return readAddress(login) ?? login;
}

/** The account with a username or a confirmed e-mail address. Who waits to join has none. */
export async function findByLogin(db: Db, typed: string): Promise<Account | undefined> {
  const login = toLogin(typed);
  if (faultIn(login) !== undefined) return undefined;
  const column = login.includes("@") ? sql`lower(email)` : sql`username`;
  const { rows } = await sql<Account>`
    select id, password_hash, suspended, email from users where ${column} = lower(${login})`.execute(db);
  return rows[0];
}
