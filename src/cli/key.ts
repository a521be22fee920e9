import { type Command, InvalidArgumentError } from "commander";
import { parseMoment } from "../text/moment.ts";
import { quote } from "../text/quote.ts";
import * as keys from "../users/keys.ts";
import { type JsonOption, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { parseId } from "./parse-id.ts";
import { withDatabase } from "./with-database.ts";

interface CreateArguments extends JsonOption {
  user: string;
  description: string;
  readOnly?: boolean;
  expires?: Date;
}

export function addKey(program: Command): void {
  const key = program.command("key").description("make API keys, and take them away");
  addCreate(key);
  addList(key);
  addRevoke(key);
}

function addCreate(key: Command): void {
  key
    .command("create")
    .description("make an API key and print it; it is shown only once")
    .requiredOption("--user <username>", "whose key it is")
    .requiredOption("--description <text>", "what it is for, to tell it from others")
    .option("--read-only", "a key that can't change anything")
    .option("--expires <date>", "the moment from which it is refused, like 2027-01-31", parseDate)
    .option("--json", 'print {"id", "api_key"}')
    .addHelpText(
      "after",
      '\nExample:\n  inkstone key create --user lena --description "Blog sync" --expires 2027-01-31',
    )
    .action(async ({ json = false, user, description, readOnly = false, expires }: CreateArguments) => {
      const created = await withDatabase({ json }, async ({ db }) => {
        const wanted = { description, readOnly, ...(expires && { expiresAt: expires }) };
        const { id, key } = await keys.create(
          db,
          { userId: await userNamed(db, user), ...wanted },
          new Date(),
        );
        return { id, api_key: key };
      });
      printResult({ json }, created, () => created.api_key);
    });
}

function addList(key: Command): void {
  key
    .command("list")
    .description("print a person's keys, the oldest first, without what is secret of them")
    .requiredOption("--user <username>", "whose keys")
    .option(
      "--json",
      'print an array of {"id", "description", "hint", "read_only", "created_at", "last_used_at", "expires_at"}',
    )
    .addHelpText("after", "\nExample:\n  inkstone key list --user lena")
    .action(async ({ json = false, user }: JsonOption & { user: string }) => {
      const found = await withDatabase({ json }, async ({ db }) => keys.list(db, await userNamed(db, user)));
      printResult({ json }, found, () => found.map(describe).join("\n") || "There is nothing.");
    });
}

function addRevoke(key: Command): void {
  key
    .command("revoke")
    .description("take a key away; running servers refuse it from then on")
    .argument("<id>", "the number of the key, as `key list` prints it", parseId("a key"))
    .option("--json", 'print {"id", "user_id", "description"}')
    .addHelpText("after", "\nExample:\n  inkstone key revoke 12")
    .action(async (id: number, { json = false }: JsonOption) => {
      const revoked = await withDatabase({ json }, ({ db }) => keys.revoke(db, id));
      printResult({ json }, revoked, () => `Revoked the key ${id}, ${quote(revoked.description)}.`);
    });
}

function describe({ id, description, ...key }: keys.KeyDescription): string {
  const isOver = key.expires_at !== null && key.expires_at <= new Date();
  const parts = [
    key.hint ?? "from elsewhere",
    ...(key.read_only ? ["read-only"] : []),
    key.last_used_at ? `last used ${key.last_used_at.toISOString()}` : "never used",
    ...(key.expires_at ? [`${isOver ? "expired" : "expires"} ${key.expires_at.toISOString()}`] : []),
  ];
  return `${id}  ${quote(description)} (${parts.join(", ")})`;
}

function parseDate(text: string): Date {
  const date = parseMoment(text);
  if (!date)
    throw new InvalidArgumentError("It must be a date like 2027-01-31 or a time like 2027-01-31T09:15:00Z");
  return date;
}
