import { type Command, Option } from "commander";
import type { Db } from "../db/connect.ts";
import { listOrganizations } from "../moderation/accounts.ts";
import * as organizations from "../organizations/organizations.ts";
import type { Profile } from "../organizations/profile.ts";
import { count, type JsonOption, printList, printResult } from "./output.ts";
import { organizationNamed, userNamed } from "./named.ts";
import { parseLimit } from "./parse-id.ts";
import { quote } from "../text/quote.ts";
import { edits, type PictureArguments } from "./profile-image.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

type ProfileArguments = Omit<Partial<Profile>, "username" | "tech_stack" | "tag_line"> & {
  techStack?: string;
  tagLine?: string;
  codehostUsername?: string;
  microblogUsername?: string;
};

type CreateArguments = JsonOption & ProfileArguments & { username: string; name: string; admin?: string };
type EditArguments = JsonOption & PictureArguments & ProfileArguments;
type MemberArguments = JsonOption & { role?: organizations.MemberRole };

export function addOrganization(program: Command): void {
  const organization = program.command("organization").description("create and change organizations");
  addCreate(organization);
  addEdit(organization);
  addAddMember(organization);
  addRemoveMember(organization);
  addList(organization);
}

function addList(organization: Command): void {
  organization
    .command("list")
    .description("print all organizations, the oldest first")
    .option("--limit <number>", "print at most this many", parseLimit, 1_000)
    .option(
      "--json",
      'print an array of {"id", "username", "name", "created_at", "members", "admins", "articles"}',
    )
    .addHelpText("after", "\nExample:\n  inkstone organization list")
    .action(async ({ json = false, limit }: JsonOption & { limit: number }) => {
      const found = await withDatabase({ json }, ({ db }) => listOrganizations(db, limit));
      printList({ json }, found, {
        toLines: ({ id, username, name, members, admins, articles, created_at }) => {
          const people = `${count(members, "member")}${admins === 0 ? ", no admin" : ""}`;
          const parts = [people, count(articles, "article"), `since ${formatTime(created_at)}`];
          return `${id}  ${username}  ${quote(name)} (${parts.join(", ")})`;
        },
        empty: "There are no organizations.",
      });
    });
}

/** What both `create` and `edit` take. */
function withProfile(command: Command): Command {
  return command
    .option("--summary <text>", "what it does")
    .option("--tag-line <text>", "one line under its name")
    .option("--story <text>", "its story")
    .option("--tech-stack <text>", "what it works with")
    .option("--location <text>", "where it is")
    .option("--url <address>", "its own website")
    .option("--microblog-username <name>", "its name on a microblog")
    .option("--codehost-username <name>", "its name where its code is");
}

function addCreate(organization: Command): void {
  withProfile(
    organization
      .command("create")
      .description("create an organization")
      .requiredOption("--username <username>", "2 to 30 letters a to z, digits or underscores")
      .requiredOption("--name <name>", "the name that is shown")
      .option("--admin <username>", "its first admin"),
  )
    .option("--json", 'print {"id", "username"}')
    .addHelpText(
      "after",
      '\nExample:\n  inkstone organization create --username tinkerlab --name "Tinker Lab" --admin lena',
    )
    .action(async ({ json = false, admin, ...given }: CreateArguments) => {
      const created = await withDatabase({ json }, async ({ db }) => {
        const adminId = admin === undefined ? undefined : await userNamed(db, admin);
        const profile = { ...toProfile(given), username: given.username, name: given.name };
        return organizations.create(
          db,
          { ...profile, ...(adminId !== undefined && { adminId }) },
          "operator",
        );
      });
      const { id, username } = created;
      printResult({ json }, created, () => `Created the organization ${username} with the id ${id}.`);
    });
}

function addEdit(organization: Command): void {
  const command = organization
    .command("edit")
    .description("change an organization's profile; an empty text removes a field")
    .argument("<organization>", "its username")
    .option("--name <name>", "the name that is shown");
  edits<EditArguments>(withProfile(command), {
    find: organizationNamed,
    edit: (db, { id, given, picture }) =>
      organizations.edit(db, { id, change: toProfile(given), picture }, "operator"),
  }).addHelpText("after", '\nExample:\n  inkstone organization edit tinkerlab --summary "We build looms"');
}

function addAddMember(organization: Command): void {
  organization
    .command("add-member")
    .description("add a member, or change a member's role")
    .argument("<organization>", "its username")
    .argument("<user>", "the person's username")
    .addOption(
      new Option("--role <role>", "the role in the organization")
        .choices(organizations.MEMBER_ROLES)
        .default("member"),
    )
    .option("--json", 'print {"organization", "user", "role", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone organization add-member tinkerlab lena --role admin")
    .action(async (asked: string, person: string, { json = false, role = "member" }: MemberArguments) => {
      const changed = await withMembership({ json, asked, person }, (db, membership) =>
        organizations.addMember(db, { ...membership, role }, "operator"),
      );
      const [name, user] = [asked.toLowerCase(), person.toLowerCase()];
      printResult({ json }, { organization: name, user, role, changed }, () => {
        const what = `${role === "admin" ? "an admin" : "a member"} of ${name}`;
        return changed ? `${user} is now ${what}.` : `${user} is already ${what}.`;
      });
    });
}

function addRemoveMember(organization: Command): void {
  organization
    .command("remove-member")
    .description("end a membership; what the person published stays where it is")
    .argument("<organization>", "its username")
    .argument("<user>", "the person's username")
    .option("--json", 'print {"organization", "user", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone organization remove-member tinkerlab lena")
    .action(async (asked: string, person: string, { json = false }: JsonOption) => {
      const changed = await withMembership({ json, asked, person }, (db, membership) =>
        organizations.removeMember(db, membership, "operator"),
      );
      const [name, user] = [asked.toLowerCase(), person.toLowerCase()];
      printResult({ json }, { organization: name, user, changed }, () =>
        changed ? `${user} is no longer a member of ${name}.` : `${user} isn't a member of ${name}.`,
      );
    });
}

function withMembership(
  { json, asked, person }: { json: boolean; asked: string; person: string },
  work: (db: Db, membership: organizations.Membership) => Promise<boolean>,
): Promise<boolean> {
  return withDatabase({ json }, async ({ db }) => {
    const organizationId = await organizationNamed(db, asked);
    return work(db, { organizationId, userId: await userNamed(db, person) });
  });
}

/** The options as they are called everywhere else. */
function toProfile(given: ProfileArguments): Omit<Partial<Profile>, "username"> {
  const { techStack, tagLine, codehostUsername, microblogUsername, name, summary, story, location, url } =
    given;
  const profile = {
    name,
    summary,
    story,
    location,
    url,
    tech_stack: techStack,
    tag_line: tagLine,
    codehost_username: codehostUsername,
    microblog_username: microblogUsername,
  };
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}
