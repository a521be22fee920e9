import type { Command } from "commander";
import { migrate } from "../db/migrate.ts";
import { count, type JsonOption, printResult } from "./output.ts";
import { withAnySchema } from "./with-database.ts";

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("update the database's schema")
    .option("--json", 'print {"ran": [...]}')
    .addHelpText("after", "\nExample:\n  inkstone migrate")
    .action(async (options: JsonOption) => {
      const ran = await withAnySchema(options, migrate);
      printResult(options, { ran }, () =>
        ran.length === 0
          ? "The schema is up to date."
          : `Ran ${count(ran.length, "migration")}: ${ran.join(", ")}.`,
      );
    });
}
