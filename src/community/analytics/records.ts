import { sql } from "kysely";
import { type Static, Type } from "typebox";
import * as articles from "../articles/rendering.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { recordType } from "../records/driver.ts";
import type { Tally } from "../records/record-type.ts";
import { OptionalText, Text } from "../records/schema.ts";
import { quote } from "../../platform/text/quote.ts";
import * as users from "../users/users.ts";
import { isDay } from "./periods.ts";
import { hostOf, OTHER_HOSTS } from "./referrers.ts";

/** Sums of many still fit. */
const MAX_VIEWS = 100_000_000;

export const PageViewRecord = Type.Object({
  article: Text,
  on: Type.String({ format: "date" }),
  user: OptionalText,
  referrer: Type.Optional(Type.String({ maxLength: 2_000, default: "" })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_VIEWS, default: 1 })),
  /** The reading time of one view. */
  read_time_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, default: 0 })),
  /** A record without a user says how many views were by signed-in people, and their total reading time. */
  signed_in_count: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_VIEWS, default: 0 })),
  signed_in_read_time_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_VIEWS * 86_400, default: 0 }),
  ),
});
export type PageViewRecord = Static<typeof PageViewRecord>;

export const pageViewRecords = recordType({
  type: "page_view",
  schema: PageViewRecord,
  keyOf: ({ article, on, user, referrer }) =>
    [article, on, user?.toLowerCase(), referrer && (hostOf(referrer) ?? referrer)]
      .filter((part) => part !== undefined && part !== "")
      .join(" "),
  table: "page_views",
  check: refuseContradictions,
  references: { article: articles.bySlug, user: { ...users.byUsername, noun: "one" } },
  key: ({ fields, ids }) => {
    const referrer = toHost(fields.referrer ?? "");
    return { article_id: ids.article, day: fields.on, referrer, user_id: ids.user ?? null };
  },
  columns: ({ fields, ids }) => {
    const { count = 1, read_time_seconds = 0, signed_in_count = 0, signed_in_read_time_seconds = 0 } = fields;
    const isNamed = ids.user !== undefined;
    return {
      views: count,
      read_time_seconds,
      signed_in_views: isNamed ? count : signed_in_count,
      signed_in_read_seconds: isNamed ? count * read_time_seconds : signed_in_read_time_seconds,
    };
  },
  store: putAll,
  read,
});

function refuseContradictions(fields: PageViewRecord): void {
  const { on, user, count = 1, signed_in_count = 0, signed_in_read_time_seconds = 0 } = fields;
  if (!isDay(on)) throw invalid(`on must be a day of the calendar like 2026-03-31, not ${quote(on)}`);
  if (user !== undefined && (signed_in_count > 0 || signed_in_read_time_seconds > 0))
    throw invalid("signed_in_count and signed_in_read_time_seconds are for views that name no user");
  if (signed_in_count > count)
    throw invalid(`signed_in_count must not be more than count, which is ${count}`);
}

function toHost(referrer: string): string {
  if (referrer === "" || referrer === OTHER_HOSTS) return referrer;
  const host = hostOf(referrer);
  if (host !== undefined) return host;
  throw invalid(`referrer must be an address or a host, not ${quote(referrer)}`);
}

const PAGE = 1_000;

async function* read(db: Db): AsyncGenerator<object> {
  for (let after: RecordRow | undefined; ;) {
    const rows = await pageOfRecords(db, after, PAGE);
    for (const row of rows) yield toRecord(row);
    after = rows.at(-1);
    if (after === undefined) return;
  }
}

function toRecord({ username, ...row }: RecordRow): object {
  const { signed_in_views, signed_in_read_seconds } = row;
  const nameless = { signed_in_count: signed_in_views, signed_in_read_time_seconds: signed_in_read_seconds };
  return {
    article: row.slug,
    on: row.day,
    user: username,
    referrer: row.referrer,
    count: row.views,
    read_time_seconds: row.read_time_seconds,
    ...(username === null && nameless),
  };
}

async function putAll(tx: Db, records: readonly object[]): Promise<Tally> {
  const created = await insertNew(tx, records);
  const updated = created < records.length ? await updateOthers(tx, records) : 0;
  return { created, updated, unchanged: records.length - created - updated };
}

/** All writers lock rows in this order. */
const given = (records: readonly object[]) => sql`
  select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as given (
    article_id int, day date, referrer text collate "C", user_id int, views bigint, read_time_seconds int,
    signed_in_views bigint, signed_in_read_seconds bigint
  )
  order by article_id, day, referrer, coalesce(user_id, 0)`;

async function insertNew(tx: Db, records: readonly object[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with created as (
      insert into page_views (article_id, day, referrer, user_id, views, read_time_seconds,
        signed_in_views, signed_in_read_seconds)
      ${given(records)}
      on conflict do nothing
      returning *
    ), noted as (
      insert into analytics_changes (article_id, day, referrer, views, signed_in_views, read_seconds)
      select article_id, day, referrer, views, signed_in_views, signed_in_read_seconds from created
    )
    select count(*)::int as count from created`.execute(tx);
  return rows[0]?.count ?? 0;
}

async function updateOthers(tx: Db, records: readonly object[]): Promise<number> {
  const isSame = sql`(present.article_id, present.day, present.referrer, coalesce(present.user_id, 0))
    = (given.article_id, given.day, given.referrer, coalesce(given.user_id, 0))`;
  const { rows } = await sql<{ count: number }>`
    with held as materialized (
      select given.*, given.views - present.views as more_views,
        given.signed_in_views - present.signed_in_views as more_signed_in,
        given.signed_in_read_seconds - present.signed_in_read_seconds as more_seconds
      from (${given(records)}) as given join page_views as present on ${isSame}
      where (present.views, present.read_time_seconds, present.signed_in_views, present.signed_in_read_seconds)
        <> (given.views, given.read_time_seconds, given.signed_in_views, given.signed_in_read_seconds)
      order by given.article_id, given.day, given.referrer, coalesce(given.user_id, 0)
      for no key update of present
    ), updated as (
      update page_views as present set views = given.views, read_time_seconds = given.read_time_seconds,
        signed_in_views = given.signed_in_views, signed_in_read_seconds = given.signed_in_read_seconds
      from held as given where ${isSame}
    ), noted as (
      insert into analytics_changes (article_id, day, referrer, views, signed_in_views, read_seconds)
      select article_id, day, referrer, more_views, more_signed_in, more_seconds from held
      where (more_views, more_signed_in, more_seconds) <> (0, 0, 0)
    )
    select count(*)::int as count from held`.execute(tx);
  return rows[0]?.count ?? 0;
}

interface RecordRow {
  article_id: number;
  slug: string;
  day: string;
  referrer: string;
  user_id: number;
  username: string | null;
  views: number;
  read_time_seconds: number;
  signed_in_views: number;
  signed_in_read_seconds: number;
}

/** Reads records in the order of the unique index, without those of deleted articles. */
async function pageOfRecords(
  db: Db,
  after: Pick<RecordRow, "article_id" | "day" | "referrer" | "user_id"> | undefined,
  limit: number,
): Promise<RecordRow[]> {
  const { article_id = 0, day = "0001-01-01", referrer = "", user_id = 0 } = after ?? {};
  const { rows } = await sql<RecordRow>`
    select page.article_id, slug, day::text, referrer, coalesce(user_id, 0) as user_id, username,
      views::float8, read_time_seconds, signed_in_views::float8, signed_in_read_seconds::float8
    from (
      select page_views.*, slug from page_views
      join articles on articles.id = page_views.article_id and articles.state <> 'deleted'
      where (article_id, day, referrer, coalesce(user_id, 0))
        > (${article_id}::int, ${day}::date, ${referrer}::text, ${user_id}::int)
      order by article_id, day, referrer, coalesce(user_id, 0) limit ${limit}
    ) as page
    left join users on users.id = page.user_id
    order by page.article_id, day, referrer, coalesce(user_id, 0)`.execute(db);
  return rows;
}
