import { type RawBuilder, sql } from "kysely";
import { Type } from "typebox";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt, anyText } from "../../platform/db/values.ts";
import { invalid } from "../../platform/errors.ts";
import { pathUnder } from "../../platform/paths.ts";
import { recordType } from "../records/driver.ts";
import { upsertRows } from "../records/rows.ts";
import { Text } from "../records/schema.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import { mergedInto } from "../users/directory.ts";
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

/** An index holds no longer ones. */
const MAX_PATH = 1_000;

/**
 * The path of an address on this or another site as `retired_paths` has it: in ASCII and lower case, without a slash at
 * its end. Undefined for a home page, for addresses that their parameters tell apart, and for what is none.
 */
export function retiredPath(address: string): string | undefined {
  const url = parseUrl(address.startsWith("/") ? `http://site${address}` : address);
  const path = url?.pathname.toLowerCase().replace(/\/+$/, "");
  return path === "" || url?.search !== "" || url.pathname.length > MAX_PATH ? undefined : path;
}

export async function ownersOfPaths(db: Db, paths: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("retired_paths")
    .innerJoin("articles", "articles.id", "article_id")
    .select(["path", "slug"])
    .where("path", "=", anyText(paths))
    .execute();
  return new Map(rows.map(({ path, slug }) => [path, slug]));
}

/** Where the published article is that was found at a path of any form. */
export async function currentPath(db: Db, path: string): Promise<string | undefined> {
  const row = await queries
    .selectPlaces(db)
    .innerJoin("retired_paths", "retired_paths.article_id", "articles.id")
    .where("path", "=", path)
    .where("articles.state", "=", "published")
    .executeTakeFirst();
  return row && pathUnder(row.username, row.slug);
}

const RetiredPathRecord = Type.Object({
  path: Type.String({
    maxLength: MAX_PATH,
    pattern: "^(/[\\w.~%!$&'()*+,;=:@-]+)+$",
    "x-rule": "a path such as /lena/growing-tomatoes or /2019/05/tomatoes.html",
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

/** `0` follows `/`. */
const isUnder = (name: RawBuilder<unknown>) =>
  sql<boolean>`path > '/' || ${name} || '/' and path < '/' || ${name} || '0'`;

export async function removeUnder(tx: Db, names: readonly string[]): Promise<void> {
  await sql`
    delete from retired_paths using unnest(${names}::text[]) as name where ${isUnder(sql.ref("name"))}`.execute(
    tx,
  );
}

/** The present name of a merged account, or of an author or organization that articles were found under. */
export async function currentName(db: Db, name: string): Promise<string | undefined> {
  const merged = await mergedInto(db, name);
  if (merged !== undefined) return merged;
  const { rows } = await sql<{ username: string }>`
    select coalesce(organizations.username, users.username) as username
    from (
      select article_id from retired_paths
      where ${isUnder(sql`${name}::text`)} and split_part(path, '/', 4) = '' limit 100
    ) as found
    join articles on articles.id = article_id and state = 'published' join users on users.id = author_id
    left join organizations on organizations.id = organization_id
    group by 1 order by count(*) desc, 1 limit 1`.execute(db);
  return rows[0]?.username;
}

export interface Origin {
  id: number;
  slug: string;
  title: string;
  author: string;
  created_at: Date;
  state: string;
}

/**
 * Who wrote the articles with these slugs, and when, also deleted ones: an import recognizes its own by that.
 */
export async function originsOf(db: Db, slugs: string[]): Promise<Map<string, Origin>> {
  const rows = await db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .select([
      "articles.id",
      "articles.slug",
      "articles.title",
      "users.username as author",
      "articles.created_at",
      "articles.state",
    ])
    .where("articles.slug", "=", anyText(slugs))
    .execute();
  return new Map(rows.map((origin) => [origin.slug, origin]));
}
