import type { Command } from "commander";
import * as notifications from "../notifications/notifications.ts";
import { notification as show } from "../notifications/view.ts";
import { userNamed } from "./named.ts";
import { type JsonOption, printList } from "./output.ts";
import { parseLimit } from "./parse-id.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

interface ListArguments extends JsonOption {
  user: string;
  limit: number;
}

export function addNotification(program: Command): void {
  const notification = program.command("notification").description("read people's notifications");
  notification
    .command("list")
    .description("print a person's notifications, newest first")
    .requiredOption("--user <username>", "the person")
    .option("--limit <number>", "print at most this many", parseLimit, 1_000)
    .option(
      "--json",
      'print an array of {"id", "kind", "created_at", "read_at", "article_id", "id_code", "title", "path"}, as they apply',
    )
    .addHelpText("after", "\nExample:\n  inkstone notification list --user lena")
    .action(async ({ user, limit, json }: ListArguments) => {
      const shown = await withDatabase({ json: json ?? false }, async ({ db }) => {
        return (await notifications.list(db, await userNamed(db, user), limit)).map(show);
      });
      printList({ json: json ?? false }, shown, {
        toLines: (one) => `${formatTime(one.created_at)}  ${one.kind}: ${one.title} (${one.path})`,
        empty: `${user} has no notifications.`,
      });
    });
}
