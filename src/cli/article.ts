import type { Command } from "commander";
import * as removal from "../articles/removal.ts";
import { type JsonOption, printResult } from "./output.ts";
import { parseId } from "./parse-id.ts";
import { withDatabase } from "./with-database.ts";

export function addArticle(program: Command): void {
  const article = program.command("article").description("restore deleted articles");
  article
    .command("restore")
    .description("restore an article, up to 30 days after it was deleted")
    .argument("<id>", "the number of the article", parseId("an article"))
    .option("--json", 'print {"id", "title", "path", "state"}')
    .addHelpText("after", "\nExample:\n  inkstone article restore 17")
    .action(async (id: number, { json = false }: JsonOption) => {
      const restored = await withDatabase({ json }, ({ db }) => removal.restore(db, id, new Date()));
      printResult({ json }, restored, () => {
        return `Article ${restored.id} is ${restored.state} again: ${restored.path}`;
      });
    });
}
