import { operator } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lock } from "../../platform/db/locks.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { notFound } from "../../platform/errors.ts";
import { createErrors, readFields } from "../../platform/fields/fields.ts";
import { FIELDS as SETTINGS } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as firstRun from "./first-run.ts";
import { EMAIL, NAME, USERNAME } from "./names.ts";
import * as links from "./one-time-links.ts";
import * as passwords from "./passwords.ts";
import * as users from "./users.ts";

const OF_SITE = {
  community_name: SETTINGS.community_name,
  community_description: SETTINGS.community_description,
  registration: SETTINGS.registration,
};
const OF_ADMIN = { name: NAME, username: USERNAME, email: EMAIL };

/** The answers to the first page of a site; an empty e-mail address is none. */
interface SetUp {
  token: string;
  values: Record<string, string>;
  address: string;
  now: Date;
}

export async function mayBeSetUp(db: Db, token: string, now: Date): Promise<boolean> {
  return (await links.setsUp(db, token, now)) && !(await firstRun.hasAdmin(db));
}

/**
 * Writes the settings and makes the first admin, once. Returns the admin's id.
 * @throws FieldsError; AppError not_found when the link is used, or there is an admin
 */
export async function setUp(db: Db, { token, values, address, now }: SetUp): Promise<number> {
  if (!(await mayBeSetUp(db, token, now))) throw notFound();
  const errors = createErrors();
  const community = readFields(OF_SITE, values, errors);
  const { email: given, ...rest } = values;
  const read = readFields(OF_ADMIN, given === "" ? rest : values, errors);
  const { name = "", username = "", email } = read;
  const isContact = values["is_contact"] === "1";
  if (isContact && !given) errors.of("email")("can't be blank as the contact of the site");
  const password = {
    password: values["password"] ?? "",
    communityName: community.community_name ?? "",
    address,
  };
  const hash = await passwords.hashOfNew(password, { name, username, email: email ?? null }, errors);
  const id = await inTransaction(db, async (tx) => {
    await lock(tx, "setUp");
    if (await firstRun.hasAdmin(tx)) throw notFound();
    const wanted = { name, username, role: "admin" as const, ...(email !== undefined && { email }) };
    const made = await users.create(operator(tx), wanted);
    await passwords.store(tx, made.id, hash);
    const set = { ...community, ...(isContact && { contact_email: email ?? "" }) };
    for (const [key, value] of Object.entries(set)) await settings.set(tx, key, value);
    return made.id;
  });
  firstRun.notePeople(db);
  return id;
}

interface NewUser extends users.NewUser {
  password: string;
}

/**
 * Creates an account that signs in with a password.
 * @throws AppError invalid, for the password too
 */
export async function createWithPassword(
  db: Db,
  { password, ...wanted }: NewUser,
): Promise<{ id: number; username: string }> {
  const { community_name: communityName } = await settings.read(db);
  const owner = { username: wanted.username, name: wanted.name, email: wanted.email ?? null };
  const hash = await passwords.hashOfNew({ password, communityName }, owner);
  return inTransaction(db, async (tx) => {
    const made = await users.create(operator(tx), wanted);
    await passwords.store(tx, made.id, hash);
    return made;
  });
}
