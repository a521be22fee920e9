import { type Command, InvalidArgumentError } from "commander";
import * as notifications from "../notifications/notifications.ts";
import { notification as show } from "../notifications/view.ts";
import { userNamed } from "./named.ts";
import { type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

interface ListArguments extends JsonOption {
  user: string;
  limit: number;
}

export function addNotification(program: Command): void {
  const notification = program.command("notification").description("see what people are told");
  notification
    .command("list")
    .description("print what a person is told, the newest first")
    .requiredOption("--user <username>", "whom")
    .option("--limit <number>", "so many at most", parseLimit, 1_000)
    .option(
      "--json",
      'print an array of {"id", "kind", "created_at", "read_at", "article_id", "id_code", "title", "path"}, as they apply',
    )
    .addHelpText("after", "\nExample:\n  inkstone notification list --user lena")
    .action(async ({ user, limit, json }: ListArguments) => {
      const shown = await withDatabase({ json: json ?? false }, async ({ db }) => {
        return (await notifications.list(db, await userNamed(db, user), limit)).map(show);
      });
      const lines = shown.map((one) => `${one.created_at}  ${one.kind}: ${one.title} (${one.path})`);
      printResult({ json: json ?? false }, shown, () => lines.join("\n") || "There is nothing.");
    });
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999");
}
