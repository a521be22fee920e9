import { type Actor, operator, userOf } from "../../http/actor.ts";
import * as mails from "../../mail/queue.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lock } from "../../platform/db/locks.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { createErrors, readField, readFields } from "../../platform/fields/fields.ts";
import { coarseNetworkOf } from "../../platform/limits/networks.ts";
import { openToken, signToken } from "../../mail/signed-tokens.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as addresses from "./addresses.ts";
import { storedText, textField } from "./fields.ts";
import * as handles from "./handles.ts";
import * as invitations from "./invitations.ts";
import { EMAIL, NAME, USERNAME } from "./names.ts";
import { hashPassword, inTurn } from "./password-hash.ts";
import * as passwords from "./passwords.ts";
import { checkNewPassword } from "./passwords.ts";
import * as failures from "./sign-in-failures.ts";
import * as signUps from "./sign-ups.ts";
import * as users from "./users.ts";

export type Admission = "account" | "application";

export function admission(
  { registration, member_invitations }: Pick<Settings, "registration" | "member_invitations">,
  invitation?: invitations.Invitation,
): Admission | undefined {
  if (invitation !== undefined) {
    const counts = invitation.isByAdmin || (registration !== "closed" && member_invitations > 0);
    return counts && invitation.end === null ? "account" : undefined;
  }
  if (registration === "open") return "account";
  return registration === "approval" ? "application" : undefined;
}

interface Admitted {
  makes: Admission;
  invitation: invitations.Invitation | undefined;
}

/** How a person may join now, by an invitation if it counts; undefined for one who can't. */
export async function findAdmission(
  db: Db,
  invitation: string | undefined,
  now: Date,
): Promise<Admitted | undefined> {
  const mode = await settings.read(db);
  const found = invitation === undefined ? undefined : await invitations.find(db, invitation, now);
  for (const each of [found, undefined]) {
    const makes = admission(mode, each);
    if (makes !== undefined) return { makes, invitation: each };
  }
  return undefined;
}

/** If the site sends emails, a person without an invitation proves an address before the form of the account. */
export const beginsWithAddress = (
  { makes, invitation }: Admitted,
  { hasMail, link }: { hasMail: boolean; link: string | undefined },
): boolean => hasMail && makes === "account" && invitation === undefined && link === undefined;

export function createLink(db: Db, address: string, now: Date): Promise<string> {
  const end = new Date(now.getTime() + addresses.CONFIRM_HOURS * 3_600_000);
  return signToken(db, { purpose: "sign up", state: address, end });
}

/** Whether a link proves that an address is its user's. It ends when a user has the address. */
export async function isLinkOf(
  db: Db,
  { link: token, email }: { link: string; email: string },
  now: Date,
): Promise<boolean> {
  const link = await openToken(db, { token, purpose: "sign up", now }, async () => ({ state: email }));
  // Only who has the link learns whether a user has the address.
  return link !== undefined && (await addresses.ownerOf(db, email)) === undefined;
}

export interface Asking {
  values: Record<string, string>;
  address: string;
  isLimited: boolean;
}

/**
 * Mails the link to the form of the account. Each address costs the same: the email tells its owner whether a user has it.
 * @throws FieldsError; AppError rate_limited
 */
export async function askForLink(
  db: Db,
  { values, address, isLimited, next }: Asking & { next: string },
  now: Date,
): Promise<void> {
  const email = readField(EMAIL, values["email"] ?? "", "email");
  await failures.noteRequest(
    db,
    { to: email, address: isLimited ? address : undefined, isSignUp: true },
    now,
  );
  const mail = { kind: "sign_up_link", address: email, about: { next } } as const;
  await failures.enqueueLimited(db, { ...mail, to: email }, now);
}

export const MAX_REASON = 1_000;
const REASON = textField(MAX_REASON, (text, report) => storedText(text) ?? report("can't be blank"));

interface SignUp extends Asking, Admitted {
  /** No password may be made of it. */
  communityName: string;
  isProven: boolean;
  hasMail: boolean;
  /** Tells admins, in the transaction of an application, that one waits. */
  tellAdmins: (tx: Db, now: Date) => Promise<void>;
}

/** The id of a user who has joined, or that the person has applied. */
export type Joined = { userId: number } | "applied";

/**
 * Makes an account, or an application. Returns undefined for a person who can't join any more.
 * @throws FieldsError; AppError rate_limited after many sign-ups of a network, unavailable when many wait, invalid for a
 * name or a proven address that is taken meanwhile, and for a person who was declined in the last day
 */
export async function signUp(db: Db, signUp: SignUp, now: Date): Promise<Joined | undefined> {
  const { values, makes, invitation, address, isLimited, isProven, hasMail, tellAdmins } = signUp;
  const { reason, ...wanted } = await readSignUp(db, signUp);
  // An application leaves its link as it is.
  if (!isProven || makes === "application") {
    const to = hasMail && makes === "account" ? wanted.email : undefined;
    await failures.noteRequest(db, { to, address: isLimited ? address : undefined, isSignUp: true }, now);
  }
  const password_hash = await inTurn(address, () => hashPassword(values["password"] ?? ""));
  const write = async (tx: Db): Promise<Joined | undefined> => {
    const still = await findAdmission(tx, values["invitation"], now);
    if (still?.makes !== makes || still.invitation?.id !== invitation?.id) return undefined;
    if (makes === "application") {
      await lock(tx, "applications");
      await signUps.apply(tx, { ...wanted, reason, password_hash, network: coarseNetworkOf(address) }, now);
      await tellAdmins(tx, now);
      return "applied";
    }
    if (invitation !== undefined && !(await invitations.use(tx, invitation.id, now))) return undefined;
    const person = { ...wanted, password_hash, invitation_id: invitation?.id ?? null, isProven };
    const userId = await createUser(tx, person, now);
    const note = hasMail ? addresses.askToConfirm : addresses.wait;
    if (!isProven) await note(tx, { userId, address: wanted.email }, now);
    return { userId };
  };
  return inTransaction(db, { unseen: makes === "application" }, write);
}

async function readSignUp(db: Db, { values, makes, invitation, communityName }: SignUp) {
  const errors = createErrors();
  const given = { name: "", username: "", email: "", ...values };
  const { name = "" } = readFields({ name: NAME }, given, errors);
  const username = given.username.toLowerCase();
  const fault = await nameFault(db, given.username);
  if (fault !== undefined) errors.of("username")(fault);
  const { email = "" } = readFields({ email: EMAIL }, given, errors);
  const reasonOf = () => readFields({ reason: REASON }, { reason: "", ...values }, errors).reason ?? "";
  const reason = makes === "application" ? reasonOf() : "";
  const invited = invitation?.address?.toLowerCase() ?? email.toLowerCase();
  if (email !== "" && email.toLowerCase() !== invited) errors.of("email")("must be the one that is invited");
  await checkNewPassword(values["password"] ?? "", { name, username, email, communityName }, errors);
  return { name, username, email, reason };
}

/** Why a username isn't free, in words that follow "Username"; undefined for a free one. */
export async function nameFault(db: Db, text: string): Promise<string | undefined> {
  let fault: string | undefined;
  const username = USERNAME.read(text, (words) => void (fault = words), "username");
  if (username === undefined) return fault;
  const isTaken = (await handles.holdersOf(db, [username])).size > 0 || (await signUps.holds(db, username));
  return isTaken ? "has already been taken" : undefined;
}

interface Person {
  username: string;
  name: string;
  email: string;
  password_hash: string;
  invitation_id: number | null;
  isProven: boolean;
}

async function createUser(
  tx: Db,
  { username, name, email, password_hash, invitation_id, isProven }: Person,
  now: Date,
): Promise<number> {
  const { id } = await users.create(
    operator(tx, () => now),
    { username, name, joined: { invitation_id }, ...(isProven && { email }) },
  );
  await passwords.store(tx, id, password_hash);
  return id;
}

const DECLINE = textField(MAX_REASON);

/** Makes an account of an application; false when another admin or moderator has decided it. */
export function approve(actor: Actor<boolean>, id: number): Promise<boolean> {
  return actor.run(async (tx) => {
    await requireStaff(tx, userOf(actor).id);
    const person = await signUps.take(tx, id);
    if (person === undefined) return false;
    const { registration } = await settings.read(tx);
    if (registration === "closed") throw invalid("Registration is closed: nobody can be let in");
    const now = actor.now();
    const userId = await createUser(tx, { ...person, invitation_id: null, isProven: false }, now);
    const { email: address } = person;
    await addresses.wait(tx, { userId, address }, now);
    await mails.enqueue(tx, { kind: "application_approved", userId, address, about: {} }, now);
    return true;
  });
}

/** Declines an application; false when another person has decided it. */
export async function decline(
  tx: Db,
  { userId, id, reason: text }: { userId: number; id: number; reason: string },
  now: Date,
): Promise<boolean> {
  await requireStaff(tx, userId);
  const reason = readField(DECLINE, text, "decline_reason") ?? "";
  const address = await signUps.decline(tx, { id, reason }, now);
  if (address === undefined) return false;
  await mails.enqueue(tx, { kind: "application_declined", address, about: { sign_up_id: id } }, now);
  return true;
}

async function requireStaff(tx: Db, userId: number): Promise<void> {
  if ((await users.requireActive(tx, userId)) === "member") throw notFound();
}
