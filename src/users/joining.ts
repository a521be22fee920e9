import { type Actor, operator, userOf } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound } from "../errors.ts";
import { createErrors, readField, readFields } from "../fields/fields.ts";
import { coarseNetworkOf } from "../limits/addresses.ts";
import type { Settings } from "../settings/fields.ts";
import * as settings from "../settings/settings.ts";
import { storedText, textField } from "./fields.ts";
import * as addresses from "./addresses.ts";
import * as handles from "./handles.ts";
import * as invitations from "./invitations.ts";
import { EMAIL, NAME, USERNAME } from "./names.ts";
import { hashPassword, inTurn } from "./password-hash.ts";
import { checkNewPassword } from "./password-rules.ts";
import * as passwords from "./passwords.ts";
import * as failures from "./sign-in-failures.ts";
import * as signUps from "./sign-ups.ts";
import * as users from "./users.ts";

type Mode = Pick<Settings, "registration" | "member_invitations">;

/** What a person comes to who may join: an account, or an application. */
export type Way = "account" | "application";

/** Undefined for a person who can't join. */
export function wayIn(
  { registration, member_invitations }: Mode,
  invitation: invitations.Invitation | undefined,
): Way | undefined {
  if (invitation !== undefined) {
    const counts = invitation.isByAdmin || (registration !== "closed" && member_invitations > 0);
    return counts && invitation.end === null ? "account" : undefined;
  }
  if (registration === "open") return "account";
  return registration === "approval" ? "application" : undefined;
}

export const MAX_REASON = 1_000;
const DECLINE = textField(MAX_REASON);
const REASON = textField(MAX_REASON, (text, report) => storedText(text) ?? report("can't be blank"));

export interface SignUp {
  /** Of the form. */
  values: Record<string, string>;
  /** Of an invitation; undefined without one. */
  token: string | undefined;
  address: string;
  isLimited: boolean;
}

type Joined = { way: "account"; userId: number } | { way: "application" };

/**
 * Makes an account, or an application. Returns undefined for a person who can't join.
 * @throws FieldsError; AppError rate_limited after many sign-ups of a network, unavailable when many wait
 */
export async function signUp(db: Db, given: SignUp, now: Date): Promise<Joined | undefined> {
  const { values, token, address, isLimited } = given;
  const current = await settings.read(db);
  const findInvitation = (tx: Db) => (token === undefined ? undefined : invitations.find(tx, token, now));
  const invitation = await findInvitation(db);
  const way = token !== undefined && invitation === undefined ? undefined : wayIn(current, invitation);
  if (way === undefined) return undefined;
  const wanted = await readSignUp(
    db,
    { values, way, invitation, communityName: current.community_name },
    now,
  );
  if (isLimited) await failures.noteSignUp(db, address, now);
  const passwordHash = await inTurn(address, () => hashPassword(values["password"] ?? ""));
  const person = { ...wanted, passwordHash, network: coarseNetworkOf(address) };
  // The mode, and the invitation, may have changed since.
  const isSame = async (tx: Db) => wayIn(await settings.read(tx), await findInvitation(tx)) === way;
  if (way === "application")
    return db.transaction().execute(async (tx) => {
      if (!(await isSame(tx))) return undefined;
      await signUps.apply(tx, person, now);
      return { way };
    });
  return inTransaction(db, async (tx) => {
    if (!(await isSame(tx))) return undefined;
    if (invitation && !(await invitations.use(tx, invitation.id, now))) return undefined;
    return { way, userId: await createUser(tx, { ...person, invitationId: invitation?.id ?? null }, now) };
  });
}

interface Reading {
  values: Record<string, string>;
  way: Way;
  invitation: invitations.Invitation | undefined;
  communityName: string;
}

async function readSignUp(db: Db, { values, way, invitation, communityName }: Reading, now: Date) {
  const errors = createErrors();
  const given = { name: "", username: "", email: "", ...values };
  const { name = "" } = readFields({ name: NAME }, given, errors);
  const username = given.username.toLowerCase();
  const fault = await nameFault(db, given.username, now);
  if (fault !== undefined) errors.of("username")(fault);
  const { email = "" } = readFields({ email: EMAIL }, given, errors);
  const reasonOf = () => readFields({ reason: REASON }, { reason: "", ...values }, errors).reason ?? "";
  const reason = way === "application" ? reasonOf() : "";
  const invited = invitation?.address ?? undefined;
  if (invited !== undefined && email !== "" && email.toLowerCase() !== invited.toLowerCase())
    errors.of("email")("must be the one that is invited");
  await checkNewPassword(values["password"] ?? "", { name, username, email, communityName }, errors);
  return { name, username, email, reason };
}

/** Why nobody can join by a username, in words that follow "Username"; undefined for a free one. */
export async function nameFault(db: Db, text: string, now: Date): Promise<string | undefined> {
  let fault: string | undefined;
  const username = USERNAME.read(text, (words) => void (fault = words), "username");
  if (username === undefined) return fault;
  const isTaken =
    (await handles.holdersOf(db, [username])).size > 0 || (await signUps.holds(db, username, now));
  return isTaken ? "has already been taken" : undefined;
}

interface Person {
  username: string;
  name: string;
  email: string;
  passwordHash: string;
  invitationId: number | null;
}

async function createUser(tx: Db, person: Person, now: Date): Promise<number> {
  const { username, name, email, passwordHash, invitationId } = person;
  const { id } = await users.create(
    operator(tx, () => now),
    { username, name, joined: { invitation_id: invitationId } },
  );
  await passwords.store(tx, id, passwordHash);
  await addresses.wait(tx, { userId: id, address: email }, now);
  return id;
}

/** What an admin or moderator decides on an application; false when another one has decided it. */
export function approve(actor: Actor<boolean>, id: number): Promise<boolean> {
  return actor.run(async (tx) => {
    await requireStaff(tx, userOf(actor).id);
    const person = await signUps.take(tx, id);
    if (person === undefined) return false;
    const { registration } = await settings.read(tx);
    if (registration === "closed") throw invalid("Registration is closed: nobody can be let in");
    await createUser(tx, { ...person, invitationId: null }, actor.now());
    return true;
  });
}

/** Declines an application; false when another person has decided it. */
export function decline(tx: Db, { id, reason }: { id: number; reason: string }, now: Date): Promise<boolean> {
  return signUps.decline(tx, { id, reason: readField(DECLINE, reason, "decline_reason") ?? "" }, now);
}

/** @throws AppError not_found for other members */
export async function requireStaff(tx: Db, userId: number): Promise<void> {
  if ((await users.requireActive(tx, userId)) === "member") throw notFound();
}
