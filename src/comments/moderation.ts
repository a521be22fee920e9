import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import * as comments from "./comments.ts";

/**
 * Deletes the comment with this code for an operator; false when it is deleted already.
 * @throws AppError invalid when there is none
 */
export function remove(db: Db, code: string): Promise<boolean> {
  return change(db, code, comments.remove);
}

/**
 * Hides the comment with this code for an operator, or shows it again; false when it is so already.
 * @throws AppError invalid when there is none
 */
export function setHidden(db: Db, code: string, hidden: boolean): Promise<boolean> {
  return change(db, code, (tx, wish) => comments.setHidden(tx, { ...wish, hidden }));
}

async function change(
  db: Db,
  code: string,
  verb: (tx: Db, wish: { id: number; by: "operator" }) => Promise<boolean>,
): Promise<boolean> {
  const id = await comments.find(db, code);
  if (id === undefined) throw invalid(`There is no comment ${quote(code)}.`);
  return inTransaction(db, (tx) => verb(tx, { id, by: "operator" }));
}
