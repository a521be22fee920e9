import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

export async function userByEmail(db: Db, email: string): Promise<{ username: string } | undefined> {
  return db
    .selectFrom("users")
    .select("username")
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
}

interface Holder {
  name: string | null;
  /** An import made the account, and its person has not used it since. */
  is_import: boolean;
}

export async function holder(db: Db, username: string): Promise<Holder | undefined> {
  const { rows } = await sql<Holder>`
    select name, coalesce(
      origin = 'import' and role = 'member' and email is null and password_hash is null
        and not exists (select from api_keys where user_id = users.id), false
    ) as is_import
    from handles left join users using (username) where handles.username = ${username}`.execute(db);
  return rows[0];
}
