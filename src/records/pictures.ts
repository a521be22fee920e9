import { type RawBuilder, sql } from "kysely";

/** The picture as a record names it: the address that a copy of ours was fetched from, else what is stored. */
export function recordedPicture(kind: "user" | "organization", table: "users" | "organizations") {
  const picture: RawBuilder<string | null> = sql`coalesce(
    (select url from remote_pictures as remote
     where remote.kind = ${kind} and remote.id = ${sql.ref(`${table}.id`)}
       and remote.picture = ${sql.ref(`${table}.profile_image`)}),
    ${sql.ref(`${table}.profile_image`)})`;
  return picture.as("profile_image");
}
