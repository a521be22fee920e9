import { operator } from "../../http/actor.ts";
import * as removal from "../../community/articles/removal.ts";
import { id } from "./arguments.ts";
import { command, group } from "./command.ts";

export const addArticle = group("article", "restore articles", [
  command({
    name: "restore",
    text: "restore an article, up to 30 days after it was deleted, or publish one that staff unpublished",
    args: { "<id>": { text: "the number of the article", parse: id("an article") } },
    json: ["id", "title", "path", "state"],
    examples: "inkstone article restore 17",
    run: (db, { id }: { id: number }) => removal.restore(operator(db), id),
    print: ({ id, state, path }) => `Article ${id} is ${state} again: ${path}`,
  }),
]);
