import { type Command, Option } from "commander";
import * as keys from "../users/keys.ts";
import * as users from "../users/users.ts";
import { type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

type UserArguments = JsonOption & users.NewUser & { withKey?: boolean };

export function addUser(program: Command): void {
  const user = program.command("user").description("make people's accounts");
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
    .action(async ({ json = false, withKey, ...wanted }: UserArguments) => {
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
