import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import { type Kind, KINDS } from "./kinds.ts";
import { openToken, signToken } from "./signed-tokens.ts";

const LINK_DAYS = 365;

const OPTIONAL = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].isOptional);

interface Choice {
  userId: number;
  kind: Kind;
}

/** Which kinds a user doesn't get: those turned off, and those off at first that aren't turned on. */
export async function turnedOff(db: Db, userId: number): Promise<Set<string>> {
  const { rows } = await sql<{ kind: string; is_on: boolean }>`
    select kind, is_on from mail_choices where user_id = ${userId}`.execute(db);
  const chosen = new Map(rows.map(({ kind, is_on }) => [kind, is_on]));
  return new Set(OPTIONAL.filter((kind) => !(chosen.get(kind) ?? KINDS[kind].isOffAtFirst !== true)));
}

export async function turn(db: Db, { userId, kind }: Choice, isOn: boolean): Promise<void> {
  await sql`
    insert into mail_choices (user_id, kind, is_on) values (${userId}, ${kind}, ${isOn})
    on conflict (user_id, kind) do update set is_on = excluded.is_on`.execute(db);
}

/** Makes the token of a link that turns a kind off for a user, for a year. */
export async function createLink(db: Db, { userId, kind }: Choice, now: Date): Promise<string> {
  const end = new Date(now.getTime() + LINK_DAYS * 86_400_000);
  const user = await findUser(db, userId);
  return signToken(db, { purpose: `unsubscribe ${kind}`, id: userId, end, ...user });
}

/** The user and kind of a link; undefined for an unknown and an expired one. */
export async function findLink(db: Db, token: string, now: Date): Promise<Choice | undefined> {
  for (const kind of OPTIONAL) {
    const purpose = `unsubscribe ${kind}` as const;
    const user = await openToken(db, { token, purpose, now }, (id) => findUser(db, id));
    if (user !== undefined) return { userId: user.id, kind };
  }
  return undefined;
}

/** A restored site may give an id to another user. */
async function findUser(db: Db, userId: number): Promise<{ id: number; state: string } | undefined> {
  const { rows } = await sql<{ id: number; state: string }>`
    select id, extract(epoch from created_at)::text as state from users where id = ${userId}`.execute(db);
  return rows[0];
}
