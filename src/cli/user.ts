import { type Command, Option } from "commander";
import * as keys from "../users/keys.ts";
import type { Profile } from "../users/profile.ts";
import * as users from "../users/users.ts";
import { type JsonOption, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { edits, type PictureArguments } from "./profile-image.ts";
import { withDatabase } from "./with-database.ts";

type CreateArguments = JsonOption & users.NewUser & { withKey?: boolean };
type EditArguments = JsonOption & PictureArguments & ProfileArguments;

type ProfileArguments = Partial<Pick<Profile, "name" | "email" | "summary" | "location">> & {
  websiteUrl?: string;
  microblogUsername?: string;
  codehostUsername?: string;
};

export function addUser(program: Command): void {
  const user = program.command("user").description("make and change people's accounts");
  addCreate(user);
  addEdit(user);
}

function addCreate(user: Command): void {
  user
    .command("create")
    .description("make an account")
    .requiredOption("--username <username>", "2 to 30 letters a to z, digits or underscores")
    .requiredOption("--name <name>", "the name that is shown")
    .option("--email <address>", "an address nobody else has")
    .addOption(new Option("--role <role>", "what they may do").choices(users.ROLES).default("member"))
    .option("--with-key", "make an API key too, and print it")
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
    .description("change what somebody says of themselves; an empty text takes something away")
    .argument("<user>", "their username")
    .option("--name <name>", "the name that is shown")
    .option("--email <address>", "an address nobody else has")
    .option("--summary <text>", "what they do")
    .option("--location <text>", "where they are")
    .option("--website-url <address>", "their own website")
    .option("--microblog-username <name>", "their name on a microblog")
    .option("--codehost-username <name>", "their name where their code is");
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
