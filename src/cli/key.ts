import { type Command, InvalidArgumentError } from "commander";
import { invalid } from "../errors.ts";
import { parseMoment } from "../text/moment.ts";
import * as keys from "../users/keys.ts";
import * as users from "../users/users.ts";
import { type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

interface KeyArguments extends JsonOption {
  user: string;
  description: string;
  readOnly?: boolean;
  expires?: Date;
}

export function addKey(program: Command): void {
  const key = program.command("key").description("make API keys");
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
    .action(async ({ json = false, user, description, readOnly = false, expires }: KeyArguments) => {
      const created = await withDatabase({ json }, async ({ db }) => {
        const userId = (await users.idsByUsername(db, [user])).get(user.toLowerCase());
        if (userId === undefined) throw invalid(`There is no user ${JSON.stringify(user)}.`);
        const wanted = { userId, description, readOnly, ...(expires && { expiresAt: expires }) };
        const { id, key } = await keys.create(db, wanted, new Date());
        return { id, api_key: key };
      });
      printResult({ json }, created, () => created.api_key);
    });
}

function parseDate(text: string): Date {
  const date = parseMoment(text);
  if (!date)
    throw new InvalidArgumentError("It must be a date like 2027-01-31 or a time like 2027-01-31T09:15:00Z");
  return date;
}
