import { text } from "node:stream/consumers";
import { readConfig } from "../../platform/config.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { operator } from "../../http/actor.ts";
import * as log from "../../community/log/log.ts";
import * as access from "../../community/moderation/access.ts";
import { count } from "../../platform/text/sentences.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as links from "../../community/users/one-time-links.ts";
import * as passwords from "../../community/users/passwords.ts";
import { userNamed } from "./arguments.ts";
import { command } from "./command.ts";

const args = { "<user>": "the username" };

export const PASSWORD_STDIN = "--password-stdin";

/** The first line of standard input. @throws AppError invalid without one */
export async function readPassword(): Promise<string> {
  const [password = ""] = (await text(process.stdin)).split(/\r?\n/);
  if (password === "") throw invalid("Standard input has no password: send it as one line");
  return password;
}

const setPassword = command({
  name: "password",
  text: "set a user's password and end their sessions",
  args,
  options: { [PASSWORD_STDIN]: { text: "read the password from standard input", required: true } },
  json: ["id", "username", "ended_sessions"],
  examples: "inkstone user password lena --password-stdin < password.txt",
  run: async (db, { user }: { user: string }) => {
    const id = await userNamed(db, user);
    const owner = await passwords.findOwner(db, id);
    if (owner === undefined) throw notFound();
    const { community_name: communityName } = await settings.read(db);
    const hash = await passwords.hashOfNew({ password: await readPassword(), communityName }, owner);
    const ended = await inTransaction(db, async (tx) => {
      await lockPermissions(tx, id);
      await log.record(tx, operator(tx), { act: "edit_user", on: { kind: "user", id }, detail: "password" });
      return passwords.change(tx, id, { hash, now: new Date() });
    });
    return { id, username: owner.username, ended_sessions: ended };
  },
  print: ({ username, ended_sessions }) =>
    `Set the password of ${username}, and ended ${count(ended_sessions, "session")}.`,
});

const signInLink = command({
  name: "sign-in-link",
  text: `print a link that signs a user in, once, for ${links.LINK_MINUTES} minutes, and notify them; an earlier one ends`,
  args,
  json: ["id", "username", "url", "expires_in_seconds"],
  examples: "inkstone user sign-in-link lena",
  run: async (db, { user }: { user: string }) => {
    const id = await userNamed(db, user);
    const url = readConfig().baseUrl + (await access.makeSignInLink(operator(db), id));
    return { id, username: user.toLowerCase(), url, expires_in_seconds: links.LINK_MINUTES * 60 };
  },
  print: ({ url }) => url,
});

const disableTwoFactor = command({
  name: "disable-two-factor",
  text: "turn a user's second factor off, so that the password is enough",
  args,
  json: ["id", "username", "changed"],
  examples: "inkstone user disable-two-factor lena",
  run: async (db, { user }: { user: string }) => {
    const id = await userNamed(db, user);
    const changed = await access.turnFactorOff(operator(db), id);
    return { id, username: user.toLowerCase(), changed };
  },
  print: ({ username, changed }) =>
    changed ? `Turned the second factor of ${username} off.` : `${username} has no second factor.`,
});

export const accessCommands = [setPassword, signInLink, disableTwoFactor];
