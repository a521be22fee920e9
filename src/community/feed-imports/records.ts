import { type Static, Type } from "typebox";
import { bySlug } from "../articles/rendering.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { fromIso, givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import { flag, Moment, OptionalText, Text } from "../records/schema.ts";
import { quote } from "../../platform/text/quote.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import * as users from "../users/users.ts";
import { checkedUrl, schedule } from "./imports.ts";
import * as queries from "./queries.ts";

const SourceRecord = Type.Object({
  user: Text,
  url: Text,
  publish: flag(false),
  created_at: Moment,
});

/** Feeds of people. An import schedules their fetches. */
export const sourceRecords = recordType({
  type: "feed_source",
  schema: SourceRecord,
  keyOf: ({ user, url }) => sourceKey(user, url),
  table: "feed_sources",
  references: { user: users.byUsername },
  key: ({ fields, ids }) => ({ user_id: ids.user, url: checkedUrl(fields.url) }),
  locks: true,
  columns: ({ fields }) => givenOf(fields, { publish: Boolean, created_at: fromIso }),
  defaults: (now) => ({ created_at: now }),
  after: (tx, { created }, { now }) => {
    const ids = created.map(({ id }) => id);
    return schedule(tx, ids, now);
  },
  read: byId(queries.listSourcesAfter),
});

/** A key of a feed, the same for each spelling of its address. */
function sourceKey(user: string, url: string): string {
  const address = url.trim();
  return `${user.toLowerCase()} ${parseUrl(address)?.href ?? address}`;
}

const ItemRecord = Type.Object({
  user: Text,
  feed: Text,
  marks: Type.Array(Type.String({ pattern: "^[\\w-]{1,64}$" }), { minItems: 1, maxItems: 12 }),
  title: Type.Optional(Type.String({ maxLength: 200, default: "" })),
  article: OptionalText,
  skipped: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  remark: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  seen_at: Moment,
});
type ItemRecord = Static<typeof ItemRecord>;

export const itemRecords = recordType({
  type: "feed_item",
  schema: ItemRecord,
  keyOf: ({ user, feed, marks }) => `${sourceKey(user, feed)} ${marks[0]}`,
  table: "feed_items",
  references: { article: bySlug },
  lookUp: (tx, records) =>
    findFeeds(
      tx,
      records.map(({ fields }) => fields),
    ),
  key: ({ fields, known: feeds }) => {
    const feed_id = feeds.get(sourceKey(fields.user, checkedUrl(fields.feed)));
    if (feed_id !== undefined) return { feed_id, marks: [...new Set(fields.marks)] };
    throw invalid(`feed ${quote(fields.feed)} is not one that ${fields.user} has by an earlier line`);
  },
  rowKey: ({ feed_id, marks }) => `${feed_id} ${marks?.[0]}`,
  find: queries.findItems,
  columns: ({ fields: { title = "", article, skipped = null, remark = null, seen_at }, ids }) => {
    if (article !== undefined && skipped !== null) throw invalid("article and skipped exclude each other");
    const article_id = ids.article ?? null;
    return { title, article_id, skipped, remark, ...givenOf({ seen_at }, { seen_at: fromIso }) };
  },
  defaults: (now) => ({ seen_at: now }),
  read: byId(queries.listItemsAfter),
});

async function findFeeds(tx: Db, records: readonly ItemRecord[]): Promise<Map<string, number>> {
  const people = await users.idsByUsername(
    tx,
    records.map(({ user }) => user),
  );
  const urls = records.flatMap(({ feed }) => parseUrl(feed)?.href ?? []);
  const sources = await queries.lockSources(tx, [...people.values()], urls);
  const names = new Map([...people].map(([name, id]) => [id, name]));
  return new Map(sources.map(({ id, user_id, url }) => [sourceKey(names.get(user_id) ?? "", url), id]));
}
