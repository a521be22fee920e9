import { sql } from "kysely";
import type { Viewer } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";

/** A deleted account has no viewer. */
export const findViewer = prepare<{ id: number }, Viewer>(
  (value) => sql`
    select id, name, username, role, profile_image, reading, (
      select count(*)::int from (
        select from notifications
        where user_id = users.id and read_at is null and withdrawn_at is null limit 100
      ) as unread
    ) as unread
    from users where id = ${value("id")}::int`,
);

export async function storeReading(tx: Db, id: number, reading: string): Promise<void> {
  await sql`update users set reading = ${reading} where id = ${id}`.execute(tx);
}
