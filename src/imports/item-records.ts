import type { Insertable } from "kysely";
import { type Static, Type } from "typebox";
import * as references from "../articles/references.ts";
import type { Db } from "../db/connect.ts";
import type { FeedItems } from "../db/tables.ts";
import { AppError, invalid } from "../errors.ts";
import { differs, given } from "../records/columns.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import * as queries from "./record-queries.ts";
import { sourceKey } from "./source-records.ts";
import { checkedUrl } from "./source-url.ts";
import { parseUrl } from "../text/parse-url.ts";

const ItemRecord = Type.Object({
  user: Type.String(),
  feed: Type.String(),
  marks: Type.Array(Type.String({ pattern: "^[\\w-]{1,64}$" }), { minItems: 1, maxItems: 12 }),
  title: Type.Optional(Type.String({ maxLength: 200 })),
  article: Type.Optional(Type.String()),
  skipped: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  seen_at: Type.Optional(Type.String({ format: "date-time" })),
});
type ItemRecord = Static<typeof ItemRecord>;

/** Items that feeds have brought, so that they bring them nowhere a second time. */
export const itemRecords: RecordType<ItemRecord> = {
  type: "feed_item",
  schema: ItemRecord,
  keyOf: ({ user, feed, marks }) => `${sourceKey(user, feed)} ${marks[0]}`,
  write,
  read,
};

type Row = Insertable<FeedItems> & { marks: string[] };

/** What the records of a batch refer to, as the site has it. */
interface Known {
  /** By person and address. */
  feeds: Map<string, number>;
  articles: Map<string, number>;
}

async function write(tx: Db, batch: Entry<ItemRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const rows = batch.flatMap((entry) => {
    try {
      return [toRow(entry.fields, known)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
      return [];
    }
  });
  return store(tx, rows, context.now);
}

async function lookUp(tx: Db, batch: Entry<ItemRecord>[]): Promise<Known> {
  const records = batch.map(({ fields }) => fields);
  const people = await users.idsByUsername(
    tx,
    records.map(({ user }) => user),
  );
  const urls = records.flatMap(({ feed }) => parseUrl(feed)?.href ?? []);
  const sources = await queries.lockSources(tx, [...people.values()], urls);
  const names = new Map([...people].map(([name, id]) => [id, name]));
  return {
    feeds: new Map(sources.map(({ id, user_id, url }) => [sourceKey(names.get(user_id) ?? "", url), id])),
    articles: await references.idsBySlug(
      tx,
      records.flatMap(({ article }) => article ?? []),
    ),
  };
}

function toRow(fields: ItemRecord, { feeds, articles }: Known): Row {
  const feed_id = feeds.get(sourceKey(fields.user, checkedUrl(fields.feed)));
  if (feed_id === undefined) {
    throw invalid(`feed ${quote(fields.feed)} is not one that ${fields.user} has by an earlier line`);
  }
  const { article, skipped, marks } = fields;
  if (article !== undefined && skipped !== undefined) throw invalid("article and skipped exclude each other");
  const article_id = article === undefined ? null : articles.get(article);
  if (article_id === undefined) {
    throw invalid(`article ${quote(article ?? "")} is not one of the site or of an earlier line`);
  }
  return {
    feed_id,
    marks: [...new Set(marks)],
    title: fields.title ?? "",
    article_id,
    skipped: skipped ?? null,
    ...given("seen_at", fields.seen_at, (text) => new Date(text)),
  };
}

async function store(tx: Db, rows: Row[], now: Date): Promise<Tally> {
  const first = rows.map(({ marks }) => marks[0] ?? "");
  const feedIds = [...new Set(rows.map(({ feed_id }) => feed_id))];
  const found = await queries.findItems(tx, feedIds, first);
  const existing = new Map(found.map((row) => [`${row.feed_id} ${row.marks[0]}`, row]));
  const presentOf = ({ feed_id, marks }: Row) => existing.get(`${feed_id} ${marks[0]}`);
  const fresh = rows.filter((row) => !presentOf(row));
  await queries.insertItems(
    tx,
    fresh.map((row) => ({ seen_at: now, ...row })),
  );
  const tally: Tally = { created: fresh.length, updated: 0, unchanged: 0 };
  for (const row of rows) {
    const present = presentOf(row);
    if (!present) continue;
    const isChanged = differs(present, row);
    if (isChanged) await queries.updateItem(tx, present.id, row);
    tally[isChanged ? "updated" : "unchanged"] += 1;
  }
  return tally;
}

const PAGE = 500;

async function* read(db: Db): AsyncGenerator<ItemRecord> {
  for await (const rows of inPages((after) => queries.listItemsAfter(db, after, PAGE))) {
    for (const { user, feed, marks, title, article, skipped, seen_at } of rows) {
      yield {
        user,
        feed,
        marks,
        ...(title !== "" && { title }),
        ...(article !== null && { article }),
        ...(skipped !== null && { skipped }),
        seen_at: toIso(seen_at),
      };
    }
  }
}
