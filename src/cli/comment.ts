import { type Command, InvalidArgumentError } from "commander";
import * as comments from "../comments/comments.ts";
import { idOf } from "../comments/id-codes.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import { type JsonOption, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addComment(program: Command): void {
  const comment = program.command("comment").description("delete and hide comments");
  addDelete(comment);
  addHide(comment);
  addUnhide(comment);
}

function addDelete(comment: Command): void {
  comment
    .command("delete")
    .description("delete the text and author of a comment for good; its answers stay")
    .argument("<id_code>", "the comment's id_code", parseCode)
    .option("--json", 'print {"id_code", "deleted", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone comment delete m35m")
    .action(async (code: string, { json = false }: JsonOption) => {
      const changed = await changing({ json, code }, comments.remove);
      printResult({ json }, { id_code: code, deleted: true, changed }, () =>
        changed ? `Comment ${code} is deleted.` : `Comment ${code} is deleted already.`,
      );
    });
}

function addHide(comment: Command): void {
  comment
    .command("hide")
    .description("hide the text and author of a comment")
    .argument("<id_code>", "the comment's id_code", parseCode)
    .option("--json", 'print {"id_code", "hidden", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone comment hide m35m")
    .action(async (code: string, { json = false }: JsonOption) => {
      const changed = await changing({ json, code }, (tx, wish) =>
        comments.setHidden(tx, { ...wish, hidden: true }),
      );
      printResult({ json }, { id_code: code, hidden: true, changed }, () =>
        changed ? `Comment ${code} is hidden.` : `Comment ${code} is hidden already.`,
      );
    });
}

function addUnhide(comment: Command): void {
  comment
    .command("unhide")
    .description("show a hidden comment again")
    .argument("<id_code>", "the comment's id_code", parseCode)
    .option("--json", 'print {"id_code", "hidden", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone comment unhide m35m")
    .action(async (code: string, { json = false }: JsonOption) => {
      const changed = await changing({ json, code }, (tx, wish) =>
        comments.setHidden(tx, { ...wish, hidden: false }),
      );
      printResult({ json }, { id_code: code, hidden: false, changed }, () =>
        changed ? `Comment ${code} is shown again.` : `Comment ${code} isn't hidden.`,
      );
    });
}

function parseCode(text: string): string {
  if (idOf(text) !== undefined) return text.toLowerCase();
  throw new InvalidArgumentError("It must be the id_code of a comment, such as m35m");
}

/** Changes the comment of this code, and tells whether that was a change. */
function changing(
  { json, code }: { json: boolean; code: string },
  change: (tx: Db, wish: { id: number; by: "operator" }) => Promise<boolean>,
): Promise<boolean> {
  return withDatabase({ json }, async ({ db }) => {
    const id = await comments.find(db, code);
    if (id === undefined) throw invalid(`There is no comment ${quote(code)}.`);
    return inTransaction(db, (tx) => change(tx, { id, by: "operator" }));
  });
}
