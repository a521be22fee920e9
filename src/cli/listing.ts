import { operator } from "../actor.ts";
import * as listings from "../listings/listings.ts";
import { id } from "./arguments.ts";
import { command, group } from "./command.ts";

export const addListing = group("listing", "hide listings", [
  command({
    name: "unpublish",
    text: "hide a listing from everyone but its author, who may publish it again",
    args: { "<id>": { text: "the number of the listing", parse: id("a listing") } },
    json: ["id", "title", "changed"],
    examples: "inkstone listing unpublish 55",
    run: (db, { id }: { id: number }) => listings.unpublish(operator(db), id),
    print: ({ id, title, changed }) =>
      changed ? `Listing ${id} is hidden: ${title}` : `Listing ${id} isn't published.`,
  }),
]);
