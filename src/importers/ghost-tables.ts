import type { Readable } from "node:stream";
import { invalid } from "../errors.ts";
import { isObject } from "../fields/fields.ts";
import { jsonElements } from "../text/json-elements.ts";
import { lineOf, wordOf } from "./article-values.ts";
import type { Source } from "./reader.ts";

export type Row = Record<string, unknown>;

/** The rows of the tables that posts refer to, by the ids of the posts or their own. */
export interface Tables {
  users: ReadonlyMap<string, Row>;
  /** The names of a post's tags in their order, without those that Ghost keeps for itself. */
  tagsOf(postId: string): string[];
  /** The people who wrote a post, the first one first. */
  authorsOf(post: Row): Row[];
  excerptOf(postId: string): string | undefined;
}

/** The posts of an export, read a second time, after the tables. */
export async function* postsOf(source: Source): AsyncGenerator<Row> {
  for await (const { row } of rowsOf(source, ["posts"])) yield row;
}

export async function readTables(source: Source): Promise<Tables> {
  const tables = {
    users: new Map<string, Row>(),
    tags: new Map<string, Row>(),
    posts_tags: new Map<string, Row[]>(),
    posts_authors: new Map<string, Row[]>(),
    posts_meta: new Map<string, Row[]>(),
  };
  for await (const { table, row } of rowsOf(source, Object.keys(tables))) {
    if (table === "users" || table === "tags") tables[table].set(wordOf(row["id"]), row);
    else {
      const rows = tables[table as "posts_tags"];
      const postId = wordOf(row["post_id"]);
      if (!rows.get(postId)?.push(row)) rows.set(postId, [row]);
    }
  }
  const { users, tags, posts_tags, posts_authors, posts_meta } = tables;
  return {
    users,
    tagsOf: (postId) => {
      const names = ordered(posts_tags.get(postId)).map(({ tag_id }) =>
        lineOf(tags.get(wordOf(tag_id))?.["name"]),
      );
      return names.filter((name) => name !== undefined && !name.startsWith("#")) as string[];
    },
    authorsOf: ({ id, author_id }: Row): Row[] => {
      const named = ordered(posts_authors.get(wordOf(id))).map((row) => row["author_id"]);
      const ids = (named.length > 0 ? named : [author_id]).map(wordOf);
      return ids.map((one) => users.get(one)).filter((user) => user !== undefined);
    },
    excerptOf: (postId) => lineOf(posts_meta.get(postId)?.[0]?.["meta_description"]),
  };
}

function ordered(rows: readonly Row[] = []): Row[] {
  return rows.toSorted((one, other) => Number(one["sort_order"] ?? 0) - Number(other["sort_order"] ?? 0));
}

async function* rowsOf(
  source: Source,
  tables: readonly string[],
): AsyncGenerator<{ table: string; row: Row }> {
  const isWanted = (path: string) => tables.includes(tableOf(path));
  const options = { name: source.name, isWanted };
  for await (const { path, value } of jsonElements(await openExport(source), options)) {
    if (isObject(value)) yield { table: tableOf(path), row: value };
  }
}

/** `db.data.posts` and `data.posts` are the same table. */
const tableOf = (path: string): string => /^(?:db\.)?data\.(\w+)$/.exec(path)?.[1] ?? "";

/** At the top of the archive or of its only folder, or in `data/`. */
const EXPORT = /^(?:[^/]+\/)?(?:content\/)?(?:data\/)?[^/]+\.json$/;
const OTHER = /(?:^|\/)(?:package|redirects|routes)(?:-[^/]*)?\.json$/;

async function openExport({ name, zip, open }: Source): Promise<Readable> {
  if (!zip) return open();
  const entries = [...zip.entries.values()].filter(
    (entry) => EXPORT.test(entry.name) && !OTHER.test(entry.name),
  );
  const [only, another] = entries;
  if (only && !another) return zip.read(only);
  const found = only ? `${entries.length} JSON files` : "no JSON file";
  throw invalid(
    `${name} has ${found} beside its pictures: Ghost's export is one, such as blog.ghost.2026-03-02.json.`,
  );
}
