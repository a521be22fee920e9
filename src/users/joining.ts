import { operator } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { lock } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { createErrors, type FieldErrors, readFields } from "../fields/fields.ts";
import { coarseNetworkOf } from "../limits/addresses.ts";
import type { Settings } from "../settings/fields.ts";
import * as settings from "../settings/settings.ts";
import { digestOf, isToken, newToken } from "../tokens.ts";
import * as addresses from "./addresses.ts";
import { storedText, textField } from "./fields.ts";
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

/** The result of a sign-up: an account or an application. */
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

/** How a person may join now, by an invitation if it counts; undefined for one who can't. */
export async function findWay(
  db: Db,
  by: { token: string } | { id: number } | undefined,
  now: Date,
): Promise<{ way: Way; invitation: invitations.Invitation | undefined } | undefined> {
  const mode = await settings.read(db);
  const given = by && (await invitations.find(db, by, now));
  for (const invitation of [given, undefined]) {
    const way = wayIn(mode, invitation);
    if (way !== undefined) return { way, invitation };
  }
  return undefined;
}

export const MAX_REASON = 1_000;
const REASON = textField(MAX_REASON, (text, report) => storedText(text) ?? report("can't be blank"));

export interface SignUp {
  /** Of the form. */
  values: Record<string, string>;
  /** Of an invitation; undefined without one. */
  token: string | undefined;
  /** No password may be made of it. */
  communityName: string;
  /** Where the person goes at the end. */
  next: string;
  address: string;
  isLimited: boolean;
  /** Whether a mail confirms the address. */
  hasMail: boolean;
  tellAdmins: TellAdmins;
}

/** Tells admins, in the transaction of an application, that one waits. */
type TellAdmins = (tx: Db, now: Date) => Promise<void>;

/** An account; or the token of the page that says what the person waits for. */
export type Joined = { userId: number; next: string } | { page: string };

/**
 * Makes an account, or an application; with mail a sign-up that waits for its link, the same for an address that a user
 * has. Returns undefined for a person who can't join.
 * @throws FieldsError; AppError rate_limited after many sign-ups of a network, unavailable when many wait
 */
export async function signUp(db: Db, given: SignUp, now: Date): Promise<Joined | undefined> {
  const page = pageOf(given.values);
  return signUpOnce(db, { ...given, page }, now).catch(async (error: unknown) => {
    // The same form, sent before, holds the name.
    if ((await signUps.findByPage(db, page, now)) !== undefined) return { page };
    throw error;
  });
}

/** The token for the page of a sign-up: the same for a form that is sent twice, another once it says something else. */
function pageOf({ page = "", username = "", email = "" }: SignUp["values"]): string {
  return isToken(page) ? digestOf(JSON.stringify([page, username, email])).toString("base64url") : newToken();
}

async function signUpOnce(db: Db, given: SignUp & { page: string }, now: Date): Promise<Joined | undefined> {
  const { page, values, token, communityName, address, isLimited, hasMail, tellAdmins, next } = given;
  const found = await findWay(db, token === undefined ? undefined : { token }, now);
  if (found === undefined) return undefined;
  const { way, invitation } = found;
  const wanted = await readSignUp(db, { values, way, invitation, communityName }, now);
  const request = { to: hasMail ? wanted.email : undefined, address: isLimited ? address : undefined };
  await failures.noteRequest(db, { ...request, isSignUp: true }, now);
  const password_hash = await inTurn(address, () => hashPassword(values["password"] ?? ""));
  const network = coarseNetworkOf(address);
  const invitation_id = invitation?.id ?? null;
  const person = { ...wanted, password_hash, network, next, invitation_id, is_confirmed: false };
  const add = (tx: Db, state: "unconfirmed" | "applied") => signUps.add(tx, person, { state, page, now });
  if (hasMail)
    return db.transaction().execute(async (tx) => {
      const { id, page } = await add(tx, "unconfirmed");
      await enqueueLink(tx, { id, address: person.email }, now);
      return { page };
    });
  const apply = async (tx: Db) => (await add(tx, "applied")).page;
  return settle(db, way, (tx) => finish(tx, { found, person, apply, tellAdmins }, now));
}

type Found = NonNullable<Awaited<ReturnType<typeof findWay>>>;

interface Finishing {
  found: Found;
  person: Entering;
  /** Makes an application of it, and the token of its page. */
  apply: (tx: Db) => Promise<string>;
  tellAdmins: TellAdmins;
}

/** Lets a person in, or apply; undefined for one who can't join any more. */
async function finish(
  tx: Db,
  { found, person, apply, tellAdmins }: Finishing,
  now: Date,
): Promise<Joined | undefined> {
  if (!(await isStill(tx, found, now))) return undefined;
  if (found.way === "account") return enter(tx, person, now);
  await lock(tx, "applications");
  await signUps.checkApplicant(tx, person, now);
  const page = await apply(tx);
  await tellAdmins(tx, now);
  return { page };
}

/** Whether a person may still join in the same way. */
async function isStill(tx: Db, { way, invitation }: Found, now: Date): Promise<boolean> {
  const found = await findWay(tx, invitation && { id: invitation.id }, now);
  return found?.way === way && found.invitation?.id === invitation?.id;
}

/** Applications are on no page of a stranger: kept answers stay. */
const settle = <Result>(db: Db, way: Way, write: (tx: Db) => Promise<Result>): Promise<Result> =>
  way === "application" ? db.transaction().execute(write) : inTransaction(db, write);

const enqueueLink = (tx: Db, { id, address }: { id: number; address: string }, now: Date) =>
  failures.enqueueLimited(
    tx,
    { kind: "confirm_sign_up", address, to: address, about: { sign_up_id: id } },
    now,
  );

/**
 * Sends the link of a sign-up again, maybe to another address. An unknown one gets the same answer.
 * @throws FieldsError; AppError rate_limited
 */
export async function sendAgain(
  db: Db,
  { page, email: text, address }: { page: string; email: string; address: string | undefined },
  now: Date,
): Promise<void> {
  const errors = createErrors();
  const { email = "" } = readFields({ email: EMAIL }, { email: text }, errors);
  checkInvited(email, (await signUps.findByPage(db, page, now))?.invited ?? null, errors);
  errors.throwIfAny();
  await failures.noteRequest(db, { to: email, address }, now);
  await db.transaction().execute(async (tx) => {
    const id = await signUps.readdress(tx, { page, email }, now);
    if (id !== undefined) await enqueueLink(tx, { id, address: email }, now);
  });
}

/**
 * Does what the link in a mail is for. Returns `closed` for a person who can't join any more, and undefined for a link
 * that doesn't work.
 * @throws AppError invalid for a name or an address that is taken meanwhile, and for an address that has applied
 */
export async function confirm(
  db: Db,
  { token, tellAdmins }: { token: string; tellAdmins: TellAdmins },
  now: Date,
): Promise<Joined | "closed" | undefined> {
  const found = await signUps.findByLink(db, token, now);
  if (found === undefined) return undefined;
  const { invitation_id: id } = found;
  const allowed = await findWay(db, id === null ? undefined : { id }, now);
  if (allowed === undefined) return "closed";
  return settle(db, allowed.way, async (tx) => {
    const unused = await signUps.findByLink(tx, token, now);
    if (unused === undefined) return undefined;
    const person = { ...unused, invitation_id: allowed.invitation?.id ?? null, is_confirmed: true };
    const apply = () => signUps.apply(tx, unused.id);
    const joined = await finish(tx, { found: allowed, person, apply, tellAdmins }, now);
    if (joined !== undefined && "userId" in joined) await signUps.remove(tx, unused.id);
    return joined ?? "closed";
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
  checkInvited(email, invitation?.address ?? null, errors);
  await checkNewPassword(values["password"] ?? "", { name, username, email, communityName }, errors);
  return { name, username, email, reason };
}

/** An invitation may be for one address. */
function checkInvited(email: string, invited: string | null, errors: FieldErrors): void {
  if (invited !== null && email !== "" && email.toLowerCase() !== invited.toLowerCase())
    errors.of("email")("must be the one that is invited");
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

interface Entering extends signUps.Person {
  next: string;
}

/** Uses the invitation, if there is one; undefined when it has none left. */
async function enter(tx: Db, person: Entering, now: Date): Promise<Joined | undefined> {
  const { invitation_id, next } = person;
  if (invitation_id !== null && !(await invitations.use(tx, invitation_id, now))) return undefined;
  return { userId: await createUser(tx, person, now), next };
}

/** @throws AppError invalid for a name, or a confirmed address, that is taken */
export async function createUser(
  tx: Db,
  { username, name, email, password_hash, invitation_id, is_confirmed }: signUps.Person,
  now: Date,
): Promise<number> {
  const { id } = await users.create(
    operator(tx, () => now),
    { username, name, joined: { invitation_id }, ...(is_confirmed && { email }) },
  );
  await passwords.store(tx, id, password_hash);
  if (!is_confirmed) await addresses.wait(tx, { userId: id, address: email }, now);
  return id;
}
