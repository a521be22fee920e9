import type { Insertable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { PodcastEpisodes } from "../db/tables.ts";
import { AppError, invalid } from "../errors.ts";
import { differs, given, withoutNull } from "../records/columns.ts";
import { reserveIds } from "../records/identity.ts";
import { toIso } from "../records/iso.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import { sanitise } from "../text/sanitise.ts";
import { storedUrl } from "../users/profile-fields.ts";
import * as queries from "./queries.ts";
import { EpisodeRecord } from "./record-schema.ts";
import { watchAnew } from "./schedule.ts";

/** Episodes of podcasts of the community file. */
export const episodeRecords: RecordType<EpisodeRecord> = {
  type: "podcast_episode",
  schema: EpisodeRecord,
  keyOf: ({ podcast, slug }) => `${podcast.toLowerCase()}/${slug}`,
  write,
  read,
};

type Columns = Omit<Insertable<PodcastEpisodes>, "id">;

/** A record on its way into the database. */
interface Row {
  wantedId: number | undefined;
  existing: queries.EpisodeRow | undefined;
  columns: Columns;
}

async function write(tx: Db, batch: Entry<EpisodeRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const rows = batch.flatMap((entry): Row[] => {
    try {
      const columns = columnsOf(entry.fields, known.podcasts);
      return [{ wantedId: entry.fields.id, existing: findExisting(columns, known), columns }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
      return [];
    }
  });
  return store(tx, rows, context);
}

interface Known {
  podcasts: Map<string, number>;
  episodes: Map<string, queries.EpisodeRow>;
  byGuid: Map<string, queries.EpisodeRow>;
}

async function lookUp(tx: Db, batch: Entry<EpisodeRecord>[]): Promise<Known> {
  const slugs = batch.map(({ fields }) => fields.podcast.toLowerCase());
  const podcasts = await queries.findPodcasts(tx, slugs);
  const ids = podcasts.map(({ id }) => id);
  const episodes = await queries.findEpisodes(
    tx,
    ids,
    batch.map(({ fields }) => fields.slug),
  );
  const guids = batch.flatMap(({ fields }) => fields.guid || []);
  const sameGuid = await queries.findEpisodesByGuid(tx, ids, guids);
  return {
    byGuid: new Map(sameGuid.map((row) => [guidKeyOf(row), row])),
    podcasts: new Map(podcasts.map(({ slug, id }) => [slug, id])),
    episodes: new Map(episodes.map((row) => [keyOf(row), row])),
  };
}

/**
 * The episode of a record: that of its slug, else the one that the feed calls the same, which a refresh
 * may have given another slug here.
 */
function findExisting(columns: Columns, { episodes, byGuid }: Known): queries.EpisodeRow | undefined {
  const bySlug = episodes.get(keyOf(columns));
  const sameGuid = columns.guid ? byGuid.get(guidKeyOf(columns)) : undefined;
  if (bySlug && sameGuid && bySlug.id !== sameGuid.id) {
    throw invalid(`guid ${quote(columns.guid ?? "")} is that of the episode ${quote(sameGuid.slug)}`);
  }
  return bySlug ?? sameGuid;
}

function guidKeyOf({ podcast_id, guid }: Pick<Columns, "podcast_id" | "guid">): string {
  return `${podcast_id}/${guid}`;
}

function keyOf({ podcast_id, slug }: { podcast_id: number; slug: string }): string {
  return `${podcast_id}/${slug}`;
}

/** What a record decides; what it leaves out stays as the site has it, and an empty text empties it. */
function columnsOf(fields: EpisodeRecord, podcasts: Map<string, number>): Columns {
  const podcastId = podcasts.get(fields.podcast.toLowerCase());
  if (podcastId === undefined)
    throw invalid(`podcast ${quote(fields.podcast)} is not one of the site or of an earlier line`);
  const mediaUrl = storedUrl("media_url", fields.media_url);
  if (mediaUrl === null) throw invalid("media_url can't be blank");
  return {
    podcast_id: podcastId,
    slug: fields.slug,
    title: fields.title,
    media_url: mediaUrl,
    ...given("summary", fields.summary, (html) => sanitise(html).trim() || null),
    ...given("image_url", fields.image_url, (url) => storedUrl("image_url", url)),
    ...given("published_at", fields.published_at, (text) => new Date(text)),
    ...given("duration_seconds", fields.duration_seconds, Number),
    ...given("reachable", fields.reachable, Boolean),
    ...given("guid", fields.guid, (guid) => guid || null),
  };
}

async function store(tx: Db, rows: Row[], context: ImportContext): Promise<Tally> {
  const fresh = rows.filter(({ existing }) => !existing);
  const changed = rows.filter(({ existing, columns }) => existing && differs(existing, columns));
  const ids = await reserveIds(
    tx,
    "podcast_episodes",
    fresh.map(({ wantedId }) => wantedId),
  );
  const numbered = fresh.flatMap(({ columns }, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...columns, id }];
  });
  const others = fresh.filter((_row, index) => ids[index] === undefined).map(({ columns }) => columns);
  const added = [
    ...(await queries.insertEpisodes(tx, numbered)),
    ...(await queries.insertEpisodes(tx, others)),
  ];
  const moved = changed.flatMap(({ existing, columns }) =>
    existing && existing.media_url !== columns.media_url ? [existing] : [],
  );
  for (const { existing, columns } of changed) await queries.updateEpisode(tx, existing?.id ?? 0, columns);
  noteMoved(context, [...added, ...moved]);
  return {
    created: fresh.length,
    updated: changed.length,
    unchanged: rows.length - fresh.length - changed.length,
  };
}

interface Moved {
  id: number;
  podcast_id: number;
}

/**
 * The episodes whose recordings an import has brought or moved: looked for anew once, at its end, because that
 * takes all episodes of their podcasts. An import fetches nothing itself.
 */
const pending = new WeakMap<ImportContext, Moved[]>();

function noteMoved(context: ImportContext, episodes: readonly Moved[]): void {
  const moved = pending.get(context) ?? [];
  if (!pending.has(context)) {
    pending.set(context, moved);
    context.atEnd((tx) => watchAnew(tx, moved, context.now));
  }
  for (const { id, podcast_id } of episodes) moved.push({ id, podcast_id });
}

const PAGE = 500;

async function* read(db: Db): AsyncGenerator<EpisodeRecord> {
  for await (const rows of inPages((after) => queries.listEpisodesAfter(db, after, PAGE))) {
    for (const { podcast_id: _podcast, published_at, ...row } of rows) {
      const episode = withoutNull({ ...row, published_at: published_at && toIso(published_at) });
      yield episode;
    }
  }
}
