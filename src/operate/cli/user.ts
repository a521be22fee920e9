import { once } from "node:events";
import { type Actor, operator } from "../../http/actor.ts";
import { createInterface } from "node:readline/promises";
import { readConfig, typed } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { openFiles } from "../../platform/files/open.ts";
import * as accounts from "../../community/moderation/accounts.ts";
import * as acts from "../../community/moderation/acts.ts";
import { deleteUser } from "../../community/moderation/deleting.ts";
import { mergeUsers } from "../../community/moderation/merging.ts";
import { count } from "../../platform/text/sentences.ts";
import { change } from "../../community/settings/changing.ts";
import * as keys from "../../community/users/keys.ts";
import * as moderation from "../../community/users/moderation.ts";
import * as users from "../../community/users/users.ts";
import { userNamed } from "./arguments.ts";
import { AS_THE_SERVER, command, group } from "./command.ts";
import { formatTime } from "./output.ts";
import { editUser } from "./user-edit.ts";
import { createWithPassword } from "../../community/users/creating.ts";
import { accessCommands, PASSWORD_STDIN, readPassword } from "./user-access.ts";
import { exportUser } from "./user-export.ts";

interface Arguments {
  user: string;
}

const args = { "<user>": "the username" };

export const addUser = group("user", "create, change and delete accounts", [
  command({
    name: "create",
    text: "create an account",
    options: {
      "--username <username>": { text: "2 to 30 letters a to z, digits or underscores", required: true },
      "--name <name>": { text: "the name that is shown", required: true },
      "--email <address>": "an e-mail address that no other account has",
      "--contact": "show everyone this address as the contact of the site",
      "--role <role>": { text: "the role on the site", choices: users.ROLES, default: "member" },
      [PASSWORD_STDIN]: "read a password from standard input",
      "--with-key": "create an API key too, and print it",
    },
    json: ["id", "username", "api_key"],
    creates: true,
    examples: 'inkstone user create --username lena --name "Lena Ortiz" --role admin --with-key',
    run: async (
      db,
      { withKey, passwordStdin, contact, ...profile }: users.NewUser & NewAccess,
      { refuse },
    ) => {
      if (contact && !profile.email) refuse("--contact shows the address of --email, which is missing");
      const { id, username } = passwordStdin
        ? await createWithPassword(db, { ...profile, password: await readPassword() })
        : await users.create(operator(db), profile);
      if (contact) await change(operator(db), { contact_email: profile.email ?? "" });
      const description = "Made with the account";
      const apiKey = withKey ? await keys.create(db, { userId: id, description }, new Date()) : undefined;
      return { id, username, api_key: apiKey?.key };
    },
    print: ({ id, username, api_key }, { role }) => {
      const line = `Created the ${role ?? "member"} ${username} with the id ${id}.`;
      return api_key ? `${line}\nAPI key, shown only now: ${api_key}` : line;
    },
  }),
  editUser,
  command({
    name: "suspend",
    text: "refuse a user's keys and sessions from now on",
    args,
    options: {
      "--hide-content": "unpublish what they wrote, and hide their comments, which `user unsuspend` keeps so",
    },
    json: ["id", "username", "suspended", "changed", "hidden"],
    examples: ["inkstone user suspend lena", "inkstone user suspend lena --hide-content"],
    run: async (db, { user, hideContent: hides }: Arguments & { hideContent?: boolean }) => {
      const person = await changePerson(db, user, { suspended: true }, (actor, id) =>
        acts.suspend(actor, { id }),
      );
      const reason = "The account was suspended";
      return {
        ...person,
        hidden: hides ? await acts.unpublishAll(operator(db), { id: person.id, reason }) : undefined,
      };
    },
    print: ({ username, changed, hidden }) =>
      (changed ? `Suspended ${username}.` : `${username} is already suspended.`) +
      (hidden === undefined ? "" : ` Hid ${count(hidden, "post")}.`),
  }),
  command({
    name: "unsuspend",
    text: "lift a suspension; what marking the account as spam has hidden comes back",
    args,
    json: ["id", "username", "suspended", "changed"],
    examples: "inkstone user unsuspend lena",
    run: (db, { user }: Arguments) =>
      changePerson(db, user, { suspended: false }, (actor, id) => acts.lift(actor, { id })),
    print: ({ username, changed }) =>
      changed ? `${username} is no longer suspended.` : `${username} is not suspended.`,
  }),
  command({
    name: "role",
    text: "change a user's role on the site",
    args: { ...args, "<role>": { text: "the role on the site", choices: users.ROLES } },
    json: ["id", "username", "role", "changed"],
    examples: "inkstone user role lena moderator",
    run: (db, { user, role }: Arguments & { role: users.Role }) =>
      changePerson(db, user, { role }, (actor, id) => moderation.changeRole(actor, { id, role })),
    print: ({ username, role, changed }) =>
      `${username} is ${changed ? "now" : "already"} ${role === "admin" ? "an admin" : `a ${role}`}.`,
  }),
  command({
    name: "show",
    text: "print an account and how much it owns",
    args,
    json: 'print {"id", "username", "name", "email", "role", "suspended", "created_at", "summary", "location", "website_url", "microblog_username", "codehost_username", "articles", "comments", "followers", "images", "api_keys", "webhook_endpoints", "organizations": [{"username", "role"}]}',
    examples: "inkstone user show lena",
    run: async (db, { user }: Arguments) => accounts.showUser(db, await userNamed(db, user)),
    print: describe,
  }),
  ...accessCommands,
  exportUser,
  command({
    name: "delete",
    text: "delete an account for good, with its articles, listings, images and keys; its comments elsewhere become empty",
    args,
    options: { "--yes": "don't ask" },
    json: 'print {"id", "username", "articles", "comments", "images", "organizations", "settings"}; needs --yes',
    examples: "inkstone user delete lena",
    note: AS_THE_SERVER,
    run: async (db, { user, yes = false }: Arguments & { yes?: boolean }, { json }) => {
      const files = await openFiles(readConfig());
      const found = await accounts.showUser(db, await userNamed(db, user));
      if (!yes) await confirm(found, `deletes ${found.username}`, json);
      const tally = await deleteUser({ db, files }, { id: found.id, now: new Date() });
      return { id: found.id, username: found.username, ...tally };
    },
    print: ({ username, articles, comments, images, organizations, settings }) => {
      const gone = `${count(articles, "article")} and ${count(images, "image")}`;
      const lines = [`Deleted ${username} with ${gone}, and emptied ${count(comments, "comment")}.`];
      if (organizations > 0)
        lines.push(`Nobody else was in ${count(organizations, "organization")}, deleted too.`);
      if (settings.length > 0)
        lines.push(`Still named in ${settings.join(", ")}: change it with \`${typed("settings set")}\`.`);
      return lines.join("\n");
    },
  }),
  command({
    name: "merge",
    text: "give what one account has to another, and remove it; its name leads to the other",
    args: { "<from>": "the username of the account that goes", "<to>": "the username of the one that stays" },
    options: { "--dry-run": "print the numbers and change nothing", "--yes": "don't ask" },
    json: 'print {"from", "to", "articles", "comments", "reactions", "follows", "listings", "images", "podcasts", "feeds", "organizations", "notifications", "api_keys", "webhook_endpoints"}; needs --yes or --dry-run',
    examples: ["inkstone user merge lena_old lena --dry-run", "inkstone user merge lena_old lena"],
    note: AS_THE_SERVER,
    run: async (db, { from, to, dryRun = false, yes = false }: MergeArguments, { json }) => {
      const files = await openFiles(readConfig());
      const gone = await accounts.showUser(db, await userNamed(db, from));
      const kept = await userNamed(db, to);
      if (!dryRun && !yes) await confirm(gone, `merges ${gone.username} into ${to.toLowerCase()}`, json);
      const merge = { from: gone.id, to: kept, now: new Date(), isTrial: dryRun };
      const { api_keys, webhook_endpoints } = gone;
      const moved = await mergeUsers({ db, files }, merge);
      return { from: gone.username, to: to.toLowerCase(), ...moved, api_keys, webhook_endpoints };
    },
    print: ({ from, to, api_keys, webhook_endpoints, ...moved }, { dryRun }) => {
      const parts = Object.entries(moved).map(([nouns, number]) => count(number, nouns.slice(0, -1)));
      const ended = `${count(api_keys, "key")} and ${count(webhook_endpoints, "webhook endpoint")}`;
      const [merged, end] = dryRun ? ["Would merge", "would end"] : ["Merged", "ended"];
      return `${merged} ${from} into ${to}: ${parts.join(", ")}; ${ended} ${end}.`;
    },
  }),
]);

interface NewAccess {
  contact?: boolean;
  withKey?: boolean;
  passwordStdin?: boolean;
}

interface MergeArguments {
  from: string;
  to: string;
  dryRun?: boolean;
  yes?: boolean;
}

async function changePerson<State>(
  db: Db,
  user: string,
  state: State,
  change: (actor: Actor<boolean>, id: number) => Promise<boolean>,
) {
  const id = await userNamed(db, user);
  return { id, username: user.toLowerCase(), ...state, changed: await change(operator(db), id) };
}

function describe({ organizations, ...user }: Awaited<ReturnType<typeof accounts.showUser>>): string {
  const memberships = organizations.map(({ username, role }) => `${username} (${role})`).join(", ");
  return Object.entries({ ...user, organizations: memberships })
    .filter(([, value]) => value !== null && value !== "")
    .map(([key, value]) => `${key}: ${value instanceof Date ? formatTime(value) : String(value)}`)
    .join("\n");
}

/** @throws AppError invalid unless a terminal user types the username */
async function confirm(
  { username, articles, comments }: Awaited<ReturnType<typeof accounts.showUser>>,
  act: string,
  json: boolean,
): Promise<void> {
  const warning = `This ${act} for good`;
  if (json || !process.stdin.isTTY || !process.stderr.isTTY)
    throw invalid(`${warning}: confirm it with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const what = `${count(articles, "article")} and ${count(comments, "comment")}`;
  const question = terminal.question(`${warning}, with ${what}. Type ${username} to confirm: `);
  // Ctrl-C and Ctrl-D end it without an answer.
  const answer = await Promise.race([question, once(terminal, "close").then(() => "")]).catch(() => "");
  terminal.close();
  if (answer.trim().toLowerCase() !== username) throw invalid(`Nothing has changed: that isn't ${username}`);
}
