import { sql } from "kysely";
import { Type } from "typebox";
import type { Db } from "../db/connect.ts";
import { anyInt, anyText } from "../db/values.ts";
import { invalid } from "../errors.ts";
import { pathUnder } from "../paths.ts";
import { recordType } from "../records/driver.ts";
import { upsertRows } from "../records/rows.ts";
import { Text } from "../records/schema.ts";
import * as queries from "./queries.ts";
import { bySlug } from "./rendering.ts";

export async function pathsOf(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.selectPlaces(db).where("articles.id", "=", anyInt(ids)).execute();
  return new Map(rows.map(({ id, username, slug }) => [id, pathUnder(username, slug)]));
}

/**
 * Keeps former paths. Needed in every transaction that changes a slug, an author or an organization: `before` is the
 * earlier result of `pathsOf`, `ids` are all changed or created articles.
 */
export async function retire(
  tx: Db,
  { before, ids }: { before: Map<number, string>; ids: number[] },
): Promise<void> {
  if (ids.length === 0) return;
  const after = await pathsOf(tx, ids);
  const left = [...before].filter(([id, path]) => after.get(id) !== path);
  await sql`
    insert into retired_paths (article_id, path)
    select * from unnest(${left.map(([id]) => id)}::int[], ${left.map(([, path]) => path)}::text[])
    on conflict do nothing`.execute(tx);
  await sql`delete from retired_paths where path = any(${[...after.values()]})`.execute(tx);
}

const RetiredPathRecord = Type.Object({
  path: Type.String({
    maxLength: 300,
    pattern: "^/[A-Za-z0-9_-]+/[A-Za-z0-9_-]+$",
    "x-rule": "a path such as /lena/growing-tomatoes",
  }),
  article: Text,
});

export const retiredPathRecords = recordType({
  type: "retired_path",
  schema: RetiredPathRecord,
  keyOf: ({ path }) => path.toLowerCase(),
  table: "retired_paths",
  references: { article: bySlug },
  lookUp: async (tx, records) => {
    const paths = records.map(({ fields }) => fields.path.toLowerCase());
    const query = tx.selectFrom("retired_paths").selectAll().where("path", "=", anyText(paths));
    const rows = await query.execute();
    return {
      current: await queries.findByPaths(tx, paths),
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
    // A current path needs no record.
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
    // The removal of an organization also makes paths current.
    const current = await queries.findByPaths(
      db,
      rows.map(({ path }) => path),
    );
    yield* rows.filter(({ path }) => !current.has(path));
    last = end.path;
  }
}

/** The present name of an author or organization that articles were found under; undefined if none was. */
export async function currentName(db: Db, name: string): Promise<string | undefined> {
  // `0` follows `/`.
  const { rows } = await sql<{ username: string }>`
    select coalesce(organizations.username, users.username) as username
    from (select article_id from retired_paths where path > ${`/${name}/`} and path < ${`/${name}0`} limit 100) as found
    join articles on articles.id = article_id and state = 'published' join users on users.id = author_id
    left join organizations on organizations.id = organization_id
    group by 1 order by count(*) desc, 1 limit 1`.execute(db);
  return rows[0]?.username;
}
