import { Type } from "typebox";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";
import { invalid } from "../errors.ts";
import { recordType } from "../records/driver.ts";
import { upsertRows } from "../records/rows.ts";
import * as references from "./references.ts";
import * as retiredPaths from "./retired-paths.ts";

/** A former path of an article in a community file. */
const RetiredPathRecord = Type.Object({
  path: Type.String({
    maxLength: 300,
    pattern: "^/[A-Za-z0-9_-]+/[A-Za-z0-9_-]+$",
    description: "a path such as /lena/growing-tomatoes",
  }),
  article: Type.String(),
});

/** Former paths of articles in the community file. */
export const retiredPathRecords = recordType({
  type: "retired_path",
  schema: RetiredPathRecord,
  keyOf: ({ path }) => path.toLowerCase(),
  table: "retired_paths",
  references: { article: references.bySlug },
  lookUp: async (tx, records) => {
    const paths = records.map(({ fields }) => fields.path.toLowerCase());
    const rows = await tx
      .selectFrom("retired_paths")
      .selectAll()
      .where("path", "=", anyText(paths))
      .execute();
    return {
      current: await retiredPaths.findCurrent(tx, paths),
      stored: new Map(rows.map(({ path, article_id }) => [path, article_id])),
    };
  },
  key: ({ fields }) => ({ path: fields.path.toLowerCase() }),
  columns: ({ fields, ids, known }) => {
    const path = fields.path.toLowerCase();
    const current = known.current.get(path);
    if (current && current.id !== ids.article) {
      throw invalid(`path is where the article "${current.slug}" is found now: leave the record out`);
    }
    // An article that is found there now needs no record of it.
    const isKnown = current !== undefined || known.stored.get(path) === ids.article;
    return isKnown ? undefined : { article_id: ids.article };
  },
  store: (tx, rows) => upsertRows(tx, { table: "retired_paths", key: "path" }, rows),
  read,
});

const PAGE = 1_000;

async function* read(db: Db): AsyncGenerator<object> {
  for (let last = ""; ;) {
    const rows = await db
      .selectFrom("retired_paths")
      .innerJoin("articles", "articles.id", "retired_paths.article_id")
      .select(["retired_paths.path", "articles.slug as article"])
      .where("path", ">", last)
      .where("articles.state", "<>", "deleted")
      .orderBy("path")
      .limit(PAGE)
      .execute();
    const end = rows.at(-1);
    if (!end) return;
    // A path can become current without a writer of articles, when an organization is removed.
    const current = await retiredPaths.findCurrent(
      db,
      rows.map(({ path }) => path),
    );
    yield* rows.filter(({ path }) => !current.has(path));
    last = end.path;
  }
}
