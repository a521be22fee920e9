import type { Db } from "../../platform/db/connect.ts";
import type { ExportOptions } from "./record-type.ts";

/** `read` gives the rows after an id. */
export async function* inPages<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

const PAGE = 500;

export function byId<Row extends { id: number }>(
  page: (db: Db, after: number, limit: number) => Promise<Row[]>,
  toRecord: (row: Row, options: ExportOptions) => object = (row) => row,
) {
  return async function* read(db: Db, options: ExportOptions): AsyncGenerator<object> {
    for await (const rows of inPages((after) => page(db, after, PAGE))) {
      for (const row of rows) yield toRecord(row, options);
    }
  };
}
