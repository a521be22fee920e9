import type { Selectable } from "kysely";
import type { Comments } from "../../platform/db/tables.ts";
import { timestamp } from "../../platform/text/dates.ts";
import type { AuthorRow } from "../users/columns.ts";
import * as userView from "../users/view.ts";
import { idCode } from "./id-codes.ts";

export interface ShownRow
  extends
    Omit<AuthorRow, "id">,
    Pick<
      Selectable<Comments>,
      "id" | "parent_id" | "created_at" | "deleted" | "hidden" | "body_html" | "reactions_count"
    > {
  author_id: number;
  hidden_reason: string | null;
  is_cut: boolean;
}

/** Writes comments as JSON text without their children and the closing brace. Each author is made once. */
export function createWriter(baseUrl: string): (row: ShownRow) => string {
  const authors = new Map<number, string>();

  function author(row: ShownRow): string {
    const known = authors.get(row.author_id);
    if (known !== undefined) return known;
    const text = JSON.stringify(userView.author({ ...row, id: row.author_id }, baseUrl));
    authors.set(row.author_id, text);
    return text;
  }

  return (row) => {
    const head = `{"type_of":"comment","id_code":"${idCode(row.id)}","created_at":"${timestamp(row.created_at)}"`;
    const flags = `${row.deleted ? ',"deleted":true' : ""}${row.hidden ? ',"hidden":true' : ""}`;
    if (flags !== "") return head + flags;
    return `${head},"body_html":${JSON.stringify(row.body_html)},"user":${author(row)}`;
  };
}
