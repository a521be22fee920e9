import { type AliasedRawBuilder, sql } from "kysely";

/** The tables and columns of pictures that may be remote. */
export const PICTURED = {
  user: { table: "users", column: "profile_image" },
  organization: { table: "organizations", column: "profile_image" },
  podcast: { table: "podcasts", column: "image_url" },
} as const;

export type PicturedKind = keyof typeof PICTURED;
type Column<Kind extends PicturedKind> = (typeof PICTURED)[Kind]["column"];

/** The remote address of a copy, or else the stored picture. */
export function recordedPicture<Kind extends PicturedKind>(
  kind: Kind,
): AliasedRawBuilder<string | null, Column<Kind>> {
  const { table, column }: { table: string; column: Column<Kind> } = PICTURED[kind];
  const stored = sql.ref(`${table}.${column}`);
  return sql<string | null>`coalesce(
    (select url from remote_pictures as remote
     where remote.kind = ${kind} and remote.id = ${sql.ref(`${table}.id`)} and remote.picture = ${stored}),
    ${stored})`.as(column);
}
