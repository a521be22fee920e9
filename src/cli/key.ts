import { type Command, InvalidArgumentError } from "commander";
import { parseMoment } from "../text/moment.ts";
import { quote } from "../text/quote.ts";
import * as keys from "../users/keys.ts";
import { type JsonOption, printList, printResult } from "./output.ts";
import { userNamed } from "./named.ts";
import { parseId } from "./parse-id.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

interface CreateArguments extends JsonOption {
  user: string;
  description: string;
  readOnly?: boolean;
  expires?: Date;
}

export function addKey(program: Command): void {
  const key = program.command("key").description("create and revoke API keys");
  addCreate(key);
  addList(key);
  addRevoke(key);
}

function addCreate(key: Command): void {
  key
    .command("create")
    .description("create an API key and print it; it is shown only once")
    .requiredOption("--user <username>", "the owner of the key")
    .requiredOption("--description <text>", "what the key is for")
    .option("--read-only", "make a key that can't change anything")
    .option("--expires <date>", "when the key expires, like 2027-01-31", parseDate)
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
    .description("print a person's keys, oldest first, without the secrets")
    .requiredOption("--user <username>", "the owner of the keys")
    .option(
      "--json",
      'print an array of {"id", "description", "hint", "read_only", "created_at", "last_used_at", "expires_at"}',
    )
    .addHelpText("after", "\nExample:\n  inkstone key list --user lena")
    .action(async ({ json = false, user }: JsonOption & { user: string }) => {
      const found = await withDatabase({ json }, async ({ db }) => keys.list(db, await userNamed(db, user)));
      printList({ json }, found, { toLines: describe, empty: `${user} has no API keys.` });
    });
}

function addRevoke(key: Command): void {
  key
    .command("revoke")
    .description("revoke a key; running servers refuse it from then on")
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
    key.hint ?? "imported",
    ...(key.read_only ? ["read-only"] : []),
    key.last_used_at ? `last used ${formatTime(key.last_used_at)}` : "never used",
    ...(key.expires_at ? [`${isOver ? "expired" : "expires"} ${formatTime(key.expires_at)}`] : []),
  ];
  return `${id}  ${quote(description)} (${parts.join(", ")})`;
}

function parseDate(text: string): Date {
  const date = parseMoment(text);
  if (!date)
    throw new InvalidArgumentError("It must be a date like 2027-01-31 or a time like 2027-01-31T09:15:00Z");
  return date;
}
