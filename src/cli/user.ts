import { Argument, type Command, Option } from "commander";
import type { Db } from "../db/connect.ts";
import * as keys from "../users/keys.ts";
import type { Profile } from "../users/profile.ts";
import * as standing from "../users/standing.ts";
import * as users from "../users/users.ts";
import { type JsonOption, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { edits, type PictureArguments } from "./profile-image.ts";
import { addAccounts } from "./user-accounts.ts";
import { withDatabase } from "./with-database.ts";

type CreateArguments = JsonOption & users.NewUser & { withKey?: boolean };
type EditArguments = JsonOption & PictureArguments & ProfileArguments;

type ProfileArguments = Partial<Pick<Profile, "name" | "email" | "summary" | "location">> & {
  websiteUrl?: string;
  microblogUsername?: string;
  codehostUsername?: string;
};

export function addUser(program: Command): void {
  const user = program.command("user").description("create, change and delete accounts");
  addCreate(user);
  addEdit(user);
  addSuspend(user);
  addUnsuspend(user);
  addRole(user);
  addAccounts(user);
}

function addCreate(user: Command): void {
  user
    .command("create")
    .description("create an account")
    .requiredOption("--username <username>", "2 to 30 letters a to z, digits or underscores")
    .requiredOption("--name <name>", "the name that is shown")
    .option("--email <address>", "an e-mail address that no other account has")
    .addOption(new Option("--role <role>", "the role on the site").choices(users.ROLES).default("member"))
    .option("--with-key", "create an API key too, and print it")
    .option("--json", 'print {"id", "username", "api_key"}')
    .addHelpText(
      "after",
      '\nExample:\n  inkstone user create --username lena --name "Lena Ortiz" --role admin --with-key',
    )
    .action(async ({ json = false, withKey, ...wanted }: CreateArguments) => {
      const created = await withDatabase({ json }, async ({ db }) => {
        const { id, username } = await users.create(db, wanted);
        if (!withKey) return { id, username };
        const { key } = await keys.create(
          db,
          { userId: id, description: "Made with the account" },
          new Date(),
        );
        return { id, username, api_key: key };
      });
      printResult({ json }, created, () => {
        const line = `Created the ${wanted.role ?? "member"} ${created.username} with the id ${created.id}.`;
        return created.api_key ? `${line}\nAPI key, shown only now: ${created.api_key}` : line;
      });
    });
}

function addEdit(user: Command): void {
  const command = user
    .command("edit")
    .description("change a profile; an empty text removes a field")
    .argument("<user>", "the username")
    .option("--name <name>", "the name that is shown")
    .option("--email <address>", "an e-mail address that no other account has")
    .option("--summary <text>", "a summary")
    .option("--location <text>", "the location")
    .option("--website-url <address>", "the website")
    .option("--microblog-username <name>", "the name on a microblog")
    .option("--codehost-username <name>", "the name on a code host");
  edits<EditArguments>(command, {
    find: userNamed,
    edit: (db, { id, given, picture }) => users.edit(db, { id, change: toProfile(given), picture }),
  }).addHelpText("after", "\nExample:\n  inkstone user edit lena --profile-image portrait.jpg");
}

/** The options as they are called everywhere else. */
function toProfile(given: ProfileArguments): Partial<Profile> {
  const { name, email, summary, location, websiteUrl, microblogUsername, codehostUsername } = given;
  const profile = {
    name,
    email,
    summary,
    location,
    website_url: websiteUrl,
    microblog_username: microblogUsername,
    codehost_username: codehostUsername,
  };
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}

function addSuspend(user: Command): void {
  user
    .command("suspend")
    .description("refuse a person's keys from now on; what they wrote stays")
    .argument("<user>", "the username")
    .option("--json", 'print {"id", "username", "suspended", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone user suspend lena")
    .action(async (asked: string, { json = false }: JsonOption) => {
      const { id, username, changed } = await changing({ json, asked }, standing.suspend);
      printResult({ json }, { id, username, suspended: true, changed }, () =>
        changed ? `Suspended ${username}.` : `${username} is already suspended.`,
      );
    });
}

function addUnsuspend(user: Command): void {
  user
    .command("unsuspend")
    .description("lift a suspension")
    .argument("<user>", "the username")
    .option("--json", 'print {"id", "username", "suspended", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone user unsuspend lena")
    .action(async (asked: string, { json = false }: JsonOption) => {
      const { id, username, changed } = await changing({ json, asked }, standing.unsuspend);
      printResult({ json }, { id, username, suspended: false, changed }, () =>
        changed ? `${username} is no longer suspended.` : `${username} is not suspended.`,
      );
    });
}

function addRole(user: Command): void {
  user
    .command("role")
    .description("change a person's role on the site")
    .argument("<user>", "the username")
    .addArgument(new Argument("<role>", "the role on the site").choices(users.ROLES))
    .option("--json", 'print {"id", "username", "role", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone user role lena moderator")
    .action(async (asked: string, role: users.Role, { json = false }: JsonOption) => {
      const { id, username, changed } = await changing({ json, asked }, (db, id) =>
        standing.changeRole(db, { id, role }),
      );
      printResult({ json }, { id, username, role, changed }, () => {
        const what = role === "admin" ? "an admin" : `a ${role}`;
        return changed ? `${username} is now ${what}.` : `${username} is already ${what}.`;
      });
    });
}

/** Changes something about the person of this name. */
function changing(
  { json, asked }: { json: boolean; asked: string },
  change: (db: Db, id: number) => Promise<boolean>,
): Promise<{ id: number; username: string; changed: boolean }> {
  return withDatabase({ json }, async ({ db }) => {
    const id = await userNamed(db, asked);
    return { id, username: asked.toLowerCase(), changed: await change(db, id) };
  });
}
