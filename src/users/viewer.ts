import { sql } from "kysely";
import { prepare } from "../db/prepared.ts";
import type { Role } from "./columns.ts";

/** A reader who is signed in. */
export interface Viewer {
  id: number;
  name: string;
  username: string;
  role: Role;
  profile_image: string | null;
  /** Unread notifications, counted up to a hundred. */
  unread: number;
}

/** None for an account that is gone. */
export const findViewer = prepare<{ id: number }, Viewer>(
  (value) => sql`
    select id, name, username, role, profile_image, (
      select count(*)::int from (
        select from notifications
        where user_id = users.id and read_at is null and withdrawn_at is null limit 100
      ) as unread
    ) as unread
    from users where id = ${value("id")}::int`,
);
