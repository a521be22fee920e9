import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { Db } from "../db/connect.ts";
import type { RetiredPaths } from "../db/tables.ts";
import { anyText } from "../db/values.ts";
import { AppError, invalid } from "../errors.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
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
type RetiredPathRecord = Static<typeof RetiredPathRecord>;

/** Former paths of articles in the community file. */
export const retiredPathRecords: RecordType<RetiredPathRecord> = {
  type: "retired_path",
  schema: RetiredPathRecord,
  keyOf: ({ path }) => path.toLowerCase(),
  write,
  read,
};

type Row = Selectable<RetiredPaths>;

/** What the records of a batch meet on the site. */
interface Known {
  /** Numbers of articles by slug. */
  articles: Map<string, number>;
  /** Articles that are found at one of the paths now. */
  current: Map<string, { id: number; slug: string }>;
  /** Which article a path belongs to already. */
  stored: Map<string, number>;
}

async function write(tx: Db, batch: Entry<RetiredPathRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const tally: Tally = { created: 0, updated: 0, unchanged: 0 };
  const changed: Row[] = [];
  for (const entry of batch) {
    try {
      const row = toRow(entry.fields, known);
      const stored = known.stored.get(row.path);
      // An article that is found there now needs no record of it.
      const isKnown = stored === row.article_id || known.current.has(row.path);
      if (!isKnown) changed.push(row);
      tally[isKnown ? "unchanged" : stored === undefined ? "created" : "updated"] += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
    }
  }
  await store(tx, changed);
  return tally;
}

async function lookUp(tx: Db, batch: Entry<RetiredPathRecord>[]): Promise<Known> {
  const paths = batch.map(({ fields }) => fields.path.toLowerCase());
  const slugs = batch.map(({ fields }) => fields.article);
  const articles = await tx
    .selectFrom("articles")
    .select(["id", "slug"])
    .where("slug", "=", anyText(slugs))
    .where("state", "<>", "deleted")
    .execute();
  const stored = await tx
    .selectFrom("retired_paths")
    .selectAll()
    .where("path", "=", anyText(paths))
    .execute();
  return {
    articles: new Map(articles.map(({ id, slug }) => [slug, id])),
    current: await retiredPaths.findCurrent(tx, paths),
    stored: new Map(stored.map(({ path, article_id }) => [path, article_id])),
  };
}

function toRow({ path, article }: RetiredPathRecord, known: Known): Row {
  const article_id = known.articles.get(article);
  if (article_id === undefined) {
    throw invalid(`article ${quote(article)} is not one of the site or of an earlier line`);
  }
  const current = known.current.get(path.toLowerCase());
  if (current && current.id !== article_id) {
    throw invalid(`path is where the article "${current.slug}" is found now: leave the record out`);
  }
  return { path: path.toLowerCase(), article_id };
}

async function store(tx: Db, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("retired_paths")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("path").doUpdateSet(({ ref }) => ({ article_id: ref("excluded.article_id") })),
    )
    .execute();
}

const PAGE = 1_000;

async function* read(db: Db): AsyncGenerator<RetiredPathRecord> {
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
