import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import { invalid } from "../errors.ts";
import { createFiles } from "../files/files.ts";
import * as accounts from "../moderation/accounts.ts";
import { deleteUser } from "../moderation/deleting.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import { userNamed } from "./named.ts";
import { count, type JsonOption, printList, printResult } from "./output.ts";
import { parseLimit } from "./parse-id.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

/** Looking at accounts as a whole, and deleting them. */
export function addAccounts(user: Command): void {
  addList(user);
  addShow(user);
  addDelete(user);
}

interface ListArguments extends JsonOption {
  role?: users.Role;
  limit: number;
}

function addList(user: Command): void {
  user
    .command("list")
    .description("print all accounts, the oldest first")
    .addOption(new Option("--role <role>", "only accounts with this role").choices(users.ROLES))
    .option("--limit <number>", "print at most this many", parseLimit, 1_000)
    .option(
      "--json",
      'print an array of {"id", "username", "name", "role", "suspended", "created_at", "articles"}',
    )
    .addHelpText("after", "\nExample:\n  inkstone user list --role admin")
    .action(async ({ json = false, ...wanted }: ListArguments) => {
      const found = await withDatabase({ json }, ({ db }) => accounts.listUsers(db, wanted));
      printList({ json }, found, {
        toLines: ({ id, username, name, articles, ...one }) => {
          const parts = [one.role, ...(one.suspended ? ["suspended"] : []), count(articles, "article")];
          return `${id}  ${username}  ${quote(name)} (${parts.join(", ")}, since ${formatTime(one.created_at)})`;
        },
        empty: wanted.role ? `There are no accounts with the role ${wanted.role}.` : "There are no accounts.",
      });
    });
}

function addShow(user: Command): void {
  user
    .command("show")
    .description("print an account and how much it owns")
    .argument("<user>", "the username")
    .option(
      "--json",
      'print {"id", "username", "name", "email", "role", "suspended", "created_at", "summary", "location", "website_url", "microblog_username", "codehost_username", "articles", "comments", "followers", "images", "api_keys", "webhook_endpoints", "organizations": [{"username", "role"}]}',
    )
    .addHelpText("after", "\nExample:\n  inkstone user show lena")
    .action(async (asked: string, { json = false }: JsonOption) => {
      const shown = await withDatabase({ json }, async ({ db }) =>
        accounts.showUser(db, await userNamed(db, asked)),
      );
      printResult({ json }, shown, () => describe(shown));
    });
}

/** A line for each thing that there is. */
function describe({ organizations, ...user }: Awaited<ReturnType<typeof accounts.showUser>>): string {
  const memberships = organizations.map(({ username, role }) => `${username} (${role})`).join(", ");
  return Object.entries({ ...user, organizations: memberships })
    .filter(([, value]) => value !== null && value !== "")
    .map(([key, value]) => `${key}: ${value instanceof Date ? formatTime(value) : String(value)}`)
    .join("\n");
}

function addDelete(user: Command): void {
  user
    .command("delete")
    .description(
      "delete an account for good, with its articles, listings, images and keys; its comments elsewhere become empty",
    )
    .argument("<user>", "the username")
    .option("--yes", "don't ask")
    .option("--json", 'print {"id", "username", "articles", "comments", "images"}; needs --yes')
    .addHelpText(
      "after",
      "\nExample:\n  inkstone user delete lena\n\nRun it as the user that the server runs as, with its settings.",
    )
    .action(async (asked: string, { json = false, yes = false }: JsonOption & { yes?: boolean }) => {
      const files = createFiles(join(readConfig().dataDir, "files"));
      const deleted = await withDatabase({ json }, async ({ db }) => {
        const found = await accounts.showUser(db, await userNamed(db, asked));
        if (!yes) await confirm(found, json);
        const tally = await deleteUser({ db, files }, { id: found.id, now: new Date() });
        return { id: found.id, username: found.username, ...tally };
      });
      printResult({ json }, deleted, () => {
        const { username, articles, comments, images } = deleted;
        const gone = `${count(articles, "article")} and ${count(images, "image")}`;
        return `Deleted ${username} with ${gone}, and emptied ${count(comments, "comment")}.`;
      });
    });
}

/** @throws AppError invalid unless a person at a terminal types the username */
async function confirm(
  { username, articles, comments }: Awaited<ReturnType<typeof accounts.showUser>>,
  json: boolean,
): Promise<void> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY)
    throw invalid(`This deletes ${username} for good: confirm it with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const what = `${count(articles, "article")} and the text of ${count(comments, "comment")}`;
  const question = terminal.question(
    `This deletes ${username} for good, with ${what}. Type the username to confirm: `,
  );
  // Ctrl-C and Ctrl-D end it without an answer.
  const answer = await Promise.race([question, once(terminal, "close").then(() => "")]).catch(() => "");
  terminal.close();
  if (answer.trim().toLowerCase() !== username) throw invalid(`Nothing was deleted: that isn't ${username}`);
}
