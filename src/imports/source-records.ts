import { type Static, Type } from "typebox";
import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { differs, given } from "../records/columns.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import * as queries from "./record-queries.ts";
import { schedule } from "./schedule.ts";
import { checkedUrl } from "./source-url.ts";
import { parseUrl } from "../text/parse-url.ts";

const SourceRecord = Type.Object({
  user: Type.String(),
  url: Type.String(),
  publish: Type.Optional(Type.Boolean()),
  created_at: Type.Optional(Type.String({ format: "date-time" })),
});
type SourceRecord = Static<typeof SourceRecord>;

/** Feeds of the community file whose items become articles. An import fetches none of them: the worker will. */
export const sourceRecords: RecordType<SourceRecord> = {
  type: "feed_source",
  schema: SourceRecord,
  keyOf: ({ user, url }) => sourceKey(user, url),
  write,
  read,
};

/** A feed by its person and its address, which may be written in several ways. */
export function sourceKey(user: string, url: string): string {
  const address = url.trim();
  return `${user.toLowerCase()} ${parseUrl(address)?.href ?? address}`;
}

async function write(tx: Db, batch: Entry<SourceRecord>[], context: ImportContext): Promise<Tally> {
  const known = await users.idsByUsername(
    tx,
    batch.map(({ fields }) => fields.user),
  );
  const rows = batch.flatMap((entry) => {
    try {
      return [columnsOf(entry.fields, known)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
      return [];
    }
  });
  return store(tx, rows, context.now);
}

function columnsOf(fields: SourceRecord, known: Map<string, number>) {
  const user_id = known.get(fields.user.toLowerCase());
  if (user_id === undefined) {
    throw invalid(`user ${quote(fields.user)} is not a user of the site or of an earlier line`);
  }
  return {
    user_id,
    url: checkedUrl(fields.url),
    ...given("publish", fields.publish, Boolean),
    ...given("created_at", fields.created_at, (text) => new Date(text)),
  };
}

async function store(tx: Db, rows: ReturnType<typeof columnsOf>[], now: Date): Promise<Tally> {
  const userIds = rows.map(({ user_id }) => user_id);
  const urls = rows.map(({ url }) => url);
  const found = await queries.lockSources(tx, userIds, urls);
  const existing = new Map(found.map((row) => [`${row.user_id} ${row.url}`, row]));
  const tally: Tally = { created: 0, updated: 0, unchanged: 0 };
  const ids: number[] = [];
  for (const row of rows) {
    const present = existing.get(`${row.user_id} ${row.url}`);
    if (!present) {
      ids.push(await queries.insertSource(tx, { created_at: now, ...row }));
      tally.created += 1;
    } else if (differs(present, row)) {
      await queries.updateSource(tx, present.id, row);
      tally.updated += 1;
    } else tally.unchanged += 1;
  }
  await schedule(tx, ids, now);
  return tally;
}

const PAGE = 500;

async function* read(db: Db): AsyncGenerator<SourceRecord> {
  for await (const rows of inPages((after) => queries.listSourcesAfter(db, after, PAGE))) {
    for (const { user, url, publish, created_at } of rows) {
      yield { user, url, ...(publish && { publish }), created_at: toIso(created_at) };
    }
  }
}
