import { InvalidArgumentError } from "commander";
import { operator } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { idOf } from "../comments/id-codes.ts";
import * as comments from "../comments/comments.ts";
import { command, group } from "./command.ts";

interface Given {
  id_code: string;
}

const args = { "<id_code>": { text: "the comment's id_code", parse: parseCode } };

export const addComment = group("comment", "delete and hide comments", [
  command({
    name: "delete",
    text: "delete the text and author of a comment for good; its answers stay",
    args,
    json: ["id_code", "deleted", "changed"],
    examples: "inkstone comment delete m35m",
    run: async (db, { id_code }: Given) => ({
      id_code,
      deleted: true,
      changed: await comments.remove(operator(db), await comments.find(db, id_code)),
    }),
    print: ({ id_code, changed }) => `Comment ${id_code} is deleted${changed ? "" : " already"}.`,
  }),
  command({
    name: "hide",
    text: "hide the text and author of a comment",
    args,
    json: ["id_code", "hidden", "changed"],
    examples: "inkstone comment hide m35m",
    run: (db, { id_code }: Given) => setHidden(db, id_code, true),
    print: ({ id_code, changed }) => `Comment ${id_code} is hidden${changed ? "" : " already"}.`,
  }),
  command({
    name: "unhide",
    text: "show a hidden comment again",
    args,
    json: ["id_code", "hidden", "changed"],
    examples: "inkstone comment unhide m35m",
    run: (db, { id_code }: Given) => setHidden(db, id_code, false),
    print: ({ id_code, changed }) =>
      changed ? `Comment ${id_code} is shown again.` : `Comment ${id_code} isn't hidden.`,
  }),
]);

async function setHidden(db: Db, id_code: string, hidden: boolean) {
  const id = await comments.find(db, id_code);
  return { id_code, hidden, changed: await comments.setHidden(operator(db), { id, hidden }) };
}

function parseCode(text: string): string {
  if (idOf(text) !== undefined) return text.toLowerCase();
  throw new InvalidArgumentError("It must be the id_code of a comment, such as m35m");
}
