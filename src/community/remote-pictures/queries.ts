import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { PICTURED, type PicturedKind } from "../records/pictures.ts";

export interface Owner {
  kind: PicturedKind;
  id: number;
}

export async function findAddress(db: Db, { kind, id }: Owner): Promise<string | undefined> {
  const { rows } = await sql<{ url: string }>`
    select url from remote_pictures where kind = ${kind} and id = ${id} and picture is null`.execute(db);
  return rows[0]?.url;
}

/** Locks the owner of a remote picture; false when it has another one. */
export async function hold(tx: Db, { kind, id }: Owner, url: string): Promise<boolean> {
  const { table, column } = PICTURED[kind];
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${id} and ${sql.ref(column)} = ${url} for no key update`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function setPicture(tx: Db, { kind, id }: Owner, picture: string): Promise<void> {
  const { table, column } = PICTURED[kind];
  // The copy is noted first: a path that isn't noted would end the remote picture.
  await sql`
    update remote_pictures set picture = ${picture}, failure = null where kind = ${kind} and id = ${id}`.execute(
    tx,
  );
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${picture} where id = ${id}`.execute(tx);
}

/**
 * Ends fetches after too many failures, and keeps the reason. Locks pictures before fetches, like a change of a
 * picture.
 */
export async function giveUp(tx: Db, kind: PicturedKind, failures: number): Promise<void> {
  const isHopeless = sql`fetches.kind = ${`${kind}-picture`} and fetches.failures >= ${failures} and lease is null`;
  const { rows } = await sql<{ id: number }>`
    select remote.id from remote_pictures as remote join fetches on fetches.id = remote.id
    where remote.kind = ${kind} and ${isHopeless}
    order by remote.id for no key update of remote`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    with hopeless as (
      delete from fetches where ${isHopeless} and id = any(${rows.map(({ id }) => id)}::int[]) returning id, failure
    )
    update remote_pictures set failure = hopeless.failure
    from hopeless where remote_pictures.kind = ${kind} and remote_pictures.id = hopeless.id`.execute(tx);
}

/** Takes up the pictures of a kind that were given up. Returns their owners' ids. */
export async function takeUp(tx: Db, kind: PicturedKind): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update remote_pictures set failure = null where kind = ${kind} and failure is not null returning id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** A missing picture, its failure and its next attempt. */
export interface Missing extends Owner {
  /** The slug of a podcast. */
  username: string;
  url: string;
  failure: string | null;
  due_at: Date | null;
}

export async function listMissing(db: Db): Promise<Missing[]> {
  const { rows } = await sql<Missing>`
    select remote.kind, remote.id, coalesce(users.username, organizations.username, podcasts.slug) as username, remote.url,
      coalesce(remote.failure, fetches.failure) as failure, fetches.due_at
    from remote_pictures as remote
    left join users on remote.kind = 'user' and users.id = remote.id
    left join organizations on remote.kind = 'organization' and organizations.id = remote.id
    left join podcasts on remote.kind = 'podcast' and podcasts.id = remote.id
    left join fetches on fetches.kind = remote.kind || '-picture' and fetches.id = remote.id
    where remote.picture is null
    order by username`.execute(db);
  return rows;
}
