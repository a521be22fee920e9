import type { Command } from "commander";
import * as listings from "../listings/listings.ts";
import { type JsonOption, printResult } from "./output.ts";
import { parseId } from "./parse-id.ts";
import { withDatabase } from "./with-database.ts";

export function addListing(program: Command): void {
  const listing = program.command("listing").description("hide listings");
  listing
    .command("unpublish")
    .description("hide a listing from everyone but its author, who may publish it again")
    .argument("<id>", "the number of the listing", parseId("a listing"))
    .option("--json", 'print {"id", "title", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone listing unpublish 55")
    .action(async (id: number, { json = false }: JsonOption) => {
      const hidden = await withDatabase({ json }, ({ db }) => listings.unpublish(db, id));
      printResult({ json }, hidden, () =>
        hidden.changed ? `Listing ${id} is hidden: ${hidden.title}` : `Listing ${id} isn't published.`,
      );
    });
}
