import * as articles from "../articles/references.ts";
import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";
import { isDay } from "./periods.ts";
import { PageViewRecord } from "./record-schema.ts";
import * as queries from "./record-queries.ts";
import { hostOf, OTHER_HOSTS } from "./referrers.ts";

/** Views of the community file. */
export const pageViewRecords: RecordType<PageViewRecord> = {
  type: "page_view",
  schema: PageViewRecord,
  keyOf: ({ article, on, user, referrer }) =>
    [article, on, user?.toLowerCase(), referrer && (hostOf(referrer) ?? referrer)]
      .filter((part) => part !== undefined && part !== "")
      .join(" "),
  write,
  read,
};

async function write(tx: Db, batch: Entry<PageViewRecord>[], context: ImportContext): Promise<Tally> {
  const rows = toRows(batch, await lookUp(tx, batch), context);
  return queries.putAll(tx, rows);
}

/** Numbers of what the records of a batch name. */
interface Known {
  articles: Map<string, number>;
  users: Map<string, number>;
}

async function lookUp(tx: Db, batch: Entry<PageViewRecord>[]): Promise<Known> {
  const slugs = new Set(batch.map(({ fields }) => fields.article));
  const usernames = new Set(batch.flatMap(({ fields }) => fields.user ?? []));
  return {
    articles: await articles.idsBySlug(tx, [...slugs]),
    users: await users.idsByUsername(tx, [...usernames]),
  };
}

function toRows(
  batch: Entry<PageViewRecord>[],
  known: Known,
  context: ImportContext,
): queries.PageViewColumns[] {
  return batch.flatMap((entry) => {
    try {
      return [toRow(entry.fields, known)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
      return [];
    }
  });
}

function toRow(fields: PageViewRecord, known: Known): queries.PageViewColumns {
  const { article, on, user, count = 1, read_time_seconds = 0 } = fields;
  const { signed_in_count = 0, signed_in_read_time_seconds = 0 } = fields;
  if (!isDay(on)) throw invalid(`on must be a day of the calendar like 2026-03-31, not ${quote(on)}`);
  if (user !== undefined && (signed_in_count > 0 || signed_in_read_time_seconds > 0))
    throw invalid("signed_in_count and signed_in_read_time_seconds are for views that name no user");
  if (signed_in_count > count)
    throw invalid(`signed_in_count must not be more than count, which is ${count}`);
  const row = {
    article_id: found("article", article, known.articles.get(article)),
    day: on,
    referrer: toHost(fields.referrer ?? ""),
    views: count,
    read_time_seconds,
  };
  if (user === undefined) {
    const signed_in_read_seconds = signed_in_read_time_seconds;
    return { ...row, user_id: null, signed_in_views: signed_in_count, signed_in_read_seconds };
  }
  const user_id = found("user", user, known.users.get(user.toLowerCase()));
  return { ...row, user_id, signed_in_views: count, signed_in_read_seconds: count * read_time_seconds };
}

function toHost(referrer: string): string {
  if (referrer === "" || referrer === OTHER_HOSTS) return referrer;
  const host = hostOf(referrer);
  if (host !== undefined) return host;
  throw invalid(`referrer must be an address or a host, not ${quote(referrer)}`);
}

function found(type: string, name: string, id: number | undefined): number {
  if (id !== undefined) return id;
  throw invalid(`${type} ${quote(name)} is not one of the site or of an earlier line`);
}

const PAGE = 1_000;

async function* read(db: Db): AsyncGenerator<PageViewRecord> {
  for (let after: queries.RecordRow | undefined; ;) {
    const rows = await queries.pageOfRecords(db, after, PAGE);
    for (const row of rows) yield toRecord(row);
    after = rows.at(-1);
    if (after === undefined) return;
  }
}

function toRecord(row: queries.RecordRow): PageViewRecord {
  const isNamed = row.username !== null;
  return {
    article: row.slug,
    on: row.day,
    ...(isNamed && { user: row.username ?? "" }),
    ...(row.referrer !== "" && { referrer: row.referrer }),
    count: row.views,
    read_time_seconds: row.read_time_seconds,
    ...(!isNamed && {
      signed_in_count: row.signed_in_views,
      signed_in_read_time_seconds: row.signed_in_read_seconds,
    }),
  };
}
