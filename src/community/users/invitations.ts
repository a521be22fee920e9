import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Invitations } from "../../platform/db/tables.ts";
import { invalid } from "../../platform/errors.ts";
import { openToken, signToken } from "../../mail/signed-tokens.ts";
import type { Settings } from "../../platform/settings/fields.ts";

export const INVITATION_DAYS = 14;

type Row = Selectable<Invitations>;

export interface Invitation extends Pick<Row, "id" | "address" | "note"> {
  inviter: string;
  /** Whether an admin has made it, who still is one. */
  isByAdmin: boolean;
  end: End;
}

/** Why one doesn't work any more; null while it does. */
type End = "used" | "revoked" | "expired" | null;

/** `uses_left` is 0 once a person has joined by it. */
const endAt = (now: Date) => sql<End>`
  case when uses_left = 0 then 'used' when revoked_at is not null then 'revoked'
    when expires_at <= ${now} then 'expired' end`;

/** A restored site may give an id to another invitation. */
const STATE = sql<string>`extract(epoch from invitations.created_at)::text`;

/** Undefined for an unknown one, and for that of a suspended user. */
export function find(db: Db, token: string, now: Date): Promise<Invitation | undefined> {
  return openToken(db, { token, purpose: "invitation", now }, async (id) => {
    const { rows } = await sql<Invitation & { state: string }>`
      select invitations.id, name as inviter, role = 'admin' as "isByAdmin", address, note,
        ${endAt(now)} as "end", ${STATE} as state
      from invitations join users on users.id = inviter_id
      where invitations.id = ${id} and not suspended`.execute(db);
    return rows[0];
  });
}

export async function use(tx: Db, id: number, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update invitations set uses_left = 0
    where id = ${id} and uses_left > 0 and revoked_at is null and expires_at > ${now}`.execute(tx);
  return numAffectedRows > 0n;
}

interface NewInvitation {
  inviter: { id: number; role: string };
  address: string | null;
  note: string;
}

type Limits = Pick<Settings, "registration" | "member_invitations">;

/** How many more a user may make; undefined for an admin, who has no limit. Revoked ones count: their mails went out. */
export async function countLeft(
  db: Db,
  { id, role }: NewInvitation["inviter"],
  { registration, member_invitations: most }: Limits,
  now: Date,
): Promise<number | undefined> {
  if (role === "admin") return undefined;
  if (registration === "closed") return 0;
  const { rows } = await sql<{ made: number }>`
    select count(*)::int as made from invitations where inviter_id = ${id}
      and (uses_left = 0 or expires_at > ${now})`.execute(db);
  return Math.max(0, most - (rows[0]?.made ?? 0));
}

/**
 * Makes an invitation, and the token of its link.
 * @throws AppError invalid for a user who may make no more
 */
export async function create(
  tx: Db,
  { inviter, address, note }: NewInvitation,
  { settings, now }: { settings: Limits; now: Date },
): Promise<{ id: number; token: string }> {
  // Its others wait, so that the count holds.
  await sql`select from users where id = ${inviter.id} for no key update`.execute(tx);
  if ((await countLeft(tx, inviter, settings, now)) === 0)
    throw invalid("You can invite nobody else at present");
  const end = new Date(now.getTime() + INVITATION_DAYS * 86_400_000);
  const { rows } = await sql<{ id: number; state: string }>`
    insert into invitations (inviter_id, address, note, uses_left, expires_at, created_at)
    values (${inviter.id}, ${address}, ${note}, 1, ${end}, ${now})
    returning id, ${STATE} as state`.execute(tx);
  const [made] = rows as [{ id: number; state: string }];
  return { id: made.id, token: await signToken(tx, { purpose: "invitation", ...made }) };
}

/**
 * Makes the token for an email; undefined for an invitation that no longer works. The email names the inviter by
 * username: a display name could advertise to strangers.
 */
export async function createLink(
  db: Db,
  id: number,
  now: Date,
): Promise<{ token: string; inviter: string; note: string } | undefined> {
  const { rows } = await sql<{ inviter: string; note: string; state: string }>`
    select '@' || username as inviter, note, ${STATE} as state
    from invitations join users on users.id = inviter_id
    where invitations.id = ${id} and not suspended and ${endAt(now)} is null`.execute(db);
  const [found] = rows;
  return found && { ...found, token: await signToken(db, { purpose: "invitation", id, state: found.state }) };
}

/** Those of a user, the newest first, with the usernames of the people who came. */
export async function list(db: Db, inviterId: number, now: Date) {
  type Listed = Pick<Row, "id" | "address" | "note" | "expires_at">;
  const { rows } = await sql<Listed & { end: End; usernames: string[] }>`
    select invitations.id, address, note, expires_at, ${endAt(now)} as "end",
      array(select username from users where invitation_id = invitations.id order by id) as usernames
    from invitations where inviter_id = ${inviterId} order by invitations.id desc limit 200`.execute(db);
  return rows;
}

export async function revoke(
  db: Db,
  { id, inviterId }: { id: number; inviterId: number },
  now: Date,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update invitations set revoked_at = coalesce(revoked_at, ${now})
    where id = ${id} and inviter_id = ${inviterId}`.execute(db);
  if (numAffectedRows === 0n) throw invalid("There is no such invitation");
}
