import type { Db } from "../db/connect.ts";
import { FieldsError } from "../errors.ts";
import { findByLogin, toLogin } from "./logins.ts";
import * as failures from "./sign-in-failures.ts";

interface Wanted {
  /** A username or an e-mail address. */
  login: string;
  /** Of the reader; undefined when limits by address are off. */
  address: string | undefined;
}

/**
 * Mails a link that signs in to the confirmed address of an account, if it isn't suspended. Nothing tells whether there is
 * one: each login costs the same statements.
 * @throws FieldsError for a blank login; AppError rate_limited
 */
export async function askForLink(db: Db, { login, address }: Wanted, now: Date): Promise<void> {
  if (toLogin(login) === "") throw new FieldsError({ login: ["can't be blank"] }, "login can't be blank");
  await failures.noteRequest(db, { to: login, address }, now);
  const account = await findByLogin(db, login);
  const owner = account?.email && !account.suspended ? { userId: account.id } : {};
  const mail = { kind: "sign_in_link", about: {}, ...owner } as const;
  await failures.enqueueLimited(db, { ...mail, to: account?.email ?? `nobody by ${login}` }, now);
}
