import type { Insertable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Podcasts } from "../db/tables.ts";
import { violatedUnique } from "../db/failures.ts";
import { AppError, invalid } from "../errors.ts";
import { changes, differs, given, withoutNull } from "../records/columns.ts";
import { reserveIds } from "../records/identity.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import { storedText, storedUrl } from "../users/profile-fields.ts";
import { isReserved } from "../users/reserved.ts";
import * as users from "../users/users.ts";
import { canBeSlug } from "./podcasts.ts";
import * as queries from "./queries.ts";
import { PodcastRecord } from "./record-schema.ts";
import { scheduleAnew } from "./schedule.ts";

/** Podcasts of the community file. */
export const podcastRecords: RecordType<PodcastRecord> = {
  type: "podcast",
  schema: PodcastRecord,
  keyOf: ({ slug }) => slug.toLowerCase(),
  write,
  read,
};

type Columns = Omit<Insertable<Podcasts>, "id"> & { slug: string };

/** A record on its way into the database. */
interface Row {
  wantedId: number | undefined;
  existing: queries.PodcastRow | undefined;
  columns: Columns;
}

async function write(tx: Db, batch: Entry<PodcastRecord>[], context: ImportContext): Promise<Tally> {
  const slugs = batch.map(({ fields }) => fields.slug.toLowerCase()).filter(canBeSlug);
  const existing = new Map((await queries.findPodcasts(tx, slugs)).map((row) => [row.slug, row]));
  const owners = await users.idsByUsername(
    tx,
    batch.flatMap(({ fields }) => fields.owner || []),
  );
  const rows = batch.flatMap((entry): Row[] => {
    try {
      const columns = columnsOf(entry.fields, owners);
      return [{ wantedId: entry.fields.id, existing: existing.get(columns.slug), columns }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
      return [];
    }
  });
  return store(tx, rows, context);
}

/** What a record decides; what it leaves out stays as the site has it, and an empty text empties it. */
function columnsOf(fields: PodcastRecord, owners: Map<string, number>): Columns {
  const slug = fields.slug.toLowerCase();
  if (!canBeSlug(slug) || /^\d+$/.test(slug)) {
    throw invalid(
      `slug ${quote(fields.slug)} must have 2 to 100 of the letters a-z, digits, - and _, and not be a number`,
    );
  }
  if (isReserved(slug)) throw invalid(`slug ${quote(slug)} is reserved: choose another`);
  return {
    slug,
    title: fields.title,
    ...given("owner_id", fields.owner, (username) => ownerOf(username, owners)),
    ...given("description", fields.description, storedText),
    ...given("image_url", fields.image_url, (url) => storedUrl("image_url", url)),
    ...given("website_url", fields.website_url, (url) => storedUrl("website_url", url)),
    ...given("feed_url", fields.feed_url, (url) => storedUrl("feed_url", url)),
    ...given("published", fields.published, Boolean),
  };
}

function ownerOf(username: string, owners: Map<string, number>): number | null {
  if (username === "") return null;
  const id = owners.get(username.toLowerCase());
  if (id === undefined)
    throw invalid(`owner ${quote(username)} is not a user of the site or of an earlier line`);
  return id;
}

async function store(tx: Db, rows: Row[], context: ImportContext): Promise<Tally> {
  const fresh = rows.filter(({ existing }) => !existing);
  const changed = rows.filter(({ existing, columns }) => existing && differs(existing, columns));
  const ids = await reserveIds(
    tx,
    "podcasts",
    fresh.map(({ wantedId }) => wantedId),
  );
  const refed: number[] = [];
  for (const [index, { columns }] of fresh.entries()) {
    const id = await insert(tx, { ...columns, ...(ids[index] !== undefined && { id: ids[index] }) });
    context.created?.("podcast", id);
    refed.push(id);
  }
  for (const { existing, columns } of changed) {
    if (!existing) continue;
    await queries.updatePodcast(tx, existing.id, changes(existing, columns));
    if (differs(existing, feedOf(columns))) refed.push(existing.id);
  }
  noteRefed(context, refed);
  return {
    created: fresh.length,
    updated: changed.length,
    unchanged: rows.length - fresh.length - changed.length,
  };
}

/** The podcasts that an import has given a feed, or taken it from: scheduled once, at its end. It fetches nothing itself. */
const pending = new WeakMap<ImportContext, number[]>();

function noteRefed(context: ImportContext, ids: readonly number[]): void {
  const refed = pending.get(context) ?? [];
  if (!pending.has(context)) {
    pending.set(context, refed);
    context.atEnd((tx) => scheduleAnew(tx, refed, context.now));
  }
  refed.push(...ids);
}

function feedOf({ feed_url }: Columns): Pick<Columns, "feed_url"> {
  return feed_url === undefined ? {} : { feed_url };
}

async function insert(tx: Db, podcast: Columns & { id?: number }): Promise<number> {
  try {
    return await queries.insertPodcast(tx, podcast);
  } catch (error) {
    if (violatedUnique(error) !== "handles_pkey") throw error;
    throw invalid(`slug ${quote(podcast.slug)} is the username of a person or an organization`);
  }
}

const PAGE = 500;

async function* read(db: Db): AsyncGenerator<PodcastRecord> {
  for await (const rows of inPages((after) => queries.listPodcastsAfter(db, after, PAGE))) {
    for (const { kind: _kind, owner_id: _owner, feed_gone: _gone, ...row } of rows) yield withoutNull(row);
  }
}
