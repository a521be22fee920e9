import { operator } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { listOrganizations } from "../../community/moderation/accounts.ts";
import * as organizations from "../../community/organizations/organizations.ts";
import type { Profile } from "../../community/organizations/fields.ts";
import { count } from "../../platform/text/sentences.ts";
import { quote } from "../../platform/text/quote.ts";
import { fieldsOf, limit, organizationNamed, userNamed } from "./arguments.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";
import { editCommand } from "./profile-image.ts";

const PROFILE = {
  "--summary <text>": "what it does",
  "--tag-line <text>": "one line under its name",
  "--story <text>": "its story",
  "--tech-stack <text>": "what it works with",
  "--location <text>": "where it is",
  "--url <address>": "its own website",
  "--microblog-username <name>": "its name on a microblog",
  "--codehost-username <name>": "its name where its code is",
};

const MEMBERSHIP = { "<organization>": "its username", "<user>": "the user's username" };

interface Membership {
  organization: string;
  user: string;
}

export const addOrganization = group("organization", "create and change organizations", [
  command({
    name: "create",
    text: "create an organization",
    options: {
      "--username <username>": { text: "2 to 30 letters a to z, digits or underscores", required: true },
      "--name <name>": { text: "the name that is shown", required: true },
      "--admin <username>": "its first admin",
      ...PROFILE,
    },
    json: ["id", "username"],
    examples: 'inkstone organization create --username tinkerlab --name "Tinker Lab" --admin lena',
    run: async (db, { admin, ...options }: { admin?: string }) => {
      const profile = fieldsOf(options) as Profile;
      const adminId = admin === undefined ? {} : { adminId: await userNamed(db, admin) };
      return organizations.create(operator(db), { ...profile, ...adminId });
    },
    print: ({ id, username }) => `Created the organization ${username} with the id ${id}.`,
  }),
  editCommand<Omit<Partial<Profile>, "username">>({
    noun: "organization",
    description: "its username",
    text: "change an organization's profile; an empty text removes a field",
    options: { "--name <name>": "the name that is shown", ...PROFILE },
    examples: 'inkstone organization edit tinkerlab --summary "We build looms"',
    find: organizationNamed,
    edit: (db, change) => organizations.edit(operator(db), change),
  }),
  command({
    name: "add-member",
    text: "add a member, or change a member's role",
    args: MEMBERSHIP,
    options: {
      "--role <role>": {
        text: "the role in the organization",
        choices: organizations.MEMBER_ROLES,
        default: "member",
      },
    },
    json: ["organization", "user", "role", "changed"],
    examples: "inkstone organization add-member tinkerlab lena --role admin",
    run: async (db, { role, ...membership }: Membership & { role: organizations.MemberRole }) => {
      const { names, ids } = await resolve(db, membership);
      return { ...names, role, changed: await organizations.addMember(operator(db), { ...ids, role }) };
    },
    print: ({ organization, user, role, changed }) =>
      `${user} is ${changed ? "now" : "already"} ${role === "admin" ? "an admin" : "a member"} of ${organization}.`,
  }),
  command({
    name: "remove-member",
    text: "end a membership; what the user published stays where it is",
    args: MEMBERSHIP,
    json: ["organization", "user", "changed"],
    examples: "inkstone organization remove-member tinkerlab lena",
    run: async (db, membership: Membership) => {
      const { names, ids } = await resolve(db, membership);
      return { ...names, changed: await organizations.removeMember(operator(db), ids) };
    },
    print: ({ organization, user, changed }) =>
      changed
        ? `${user} is no longer a member of ${organization}.`
        : `${user} isn't a member of ${organization}.`,
  }),
  list({
    name: "list",
    text: "print all organizations, the oldest first",
    options: limit(1_000),
    json: ["id", "username", "name", "created_at", "members", "admins", "articles"],
    examples: "inkstone organization list",
    run: (db, { limit }: { limit: number }) => listOrganizations(db, limit),
    line: ({ id, username, name, members, admins, articles, created_at }) => {
      const people = `${count(members, "member")}${admins === 0 ? ", no admin" : ""}`;
      const parts = [people, count(articles, "article"), `since ${formatTime(created_at)}`];
      return `${id}  ${username}  ${quote(name)} (${parts.join(", ")})`;
    },
    empty: () => "There are no organizations.",
  }),
]);

async function resolve(db: Db, { organization, user }: Membership) {
  const names = { organization: organization.toLowerCase(), user: user.toLowerCase() };
  const organizationId = await organizationNamed(db, organization);
  return { names, ids: { organizationId, userId: await userNamed(db, user) } };
}
