import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { digestOf, isToken, newToken } from "../tokens.ts";
import { isKind, type Kind } from "./kinds.ts";

const LINK_DAYS = 365;

interface Choice {
  userId: number;
  kind: Kind;
}

/** Which kinds a user has turned off. */
export async function turnedOff(db: Db, userId: number): Promise<Set<string>> {
  const { rows } = await sql<{ kind: string }>`
    select kind from mail_choices where user_id = ${userId} and not is_on`.execute(db);
  return new Set(rows.map(({ kind }) => kind));
}

/** Turns a kind on or off for a user. */
export async function turn(db: Db, { userId, kind }: Choice, isOn: boolean): Promise<void> {
  await sql`
    insert into mail_choices (user_id, kind, is_on) values (${userId}, ${kind}, ${isOn})
    on conflict (user_id, kind) do update set is_on = excluded.is_on`.execute(db);
}

/** Makes the token of a link that turns a kind off for a user, for a year; it is nowhere else. */
export async function createLink(db: Db, { userId, kind }: Choice, now: Date): Promise<string> {
  const token = newToken();
  const end = new Date(now.getTime() + LINK_DAYS * 86_400_000);
  await sql`
    insert into unsubscribe_links (sha256, user_id, kind, expires_at)
    values (${digestOf(token)}, ${userId}, ${kind}, ${end})`.execute(db);
  return token;
}

/** What a link is for; undefined for an unknown and an expired one. */
export async function findLink(db: Db, token: string, now: Date): Promise<Choice | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<{ user_id: number; kind: string }>`
    select user_id, kind from unsubscribe_links
    where sha256 = ${digestOf(token)} and expires_at > ${now}`.execute(db);
  const [found] = rows;
  return found && isKind(found.kind) ? { userId: found.user_id, kind: found.kind } : undefined;
}

export async function purgeLinks(db: Db, now: Date): Promise<void> {
  await sql`delete from unsubscribe_links where expires_at <= ${now}`.execute(db);
}
