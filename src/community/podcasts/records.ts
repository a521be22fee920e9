import { Type } from "typebox";
import type { Db } from "../../platform/db/connect.ts";
import { valuesOf } from "../../platform/db/rows.ts";
import { invalid } from "../../platform/errors.ts";
import { fromIso, givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import type { ImportState } from "../records/record-type.ts";
import { flag, Id, Moment, OptionalText, Text } from "../records/schema.ts";
import { quote } from "../../platform/text/quote.ts";
import { sanitise } from "../../content/text/sanitise.ts";
import { storedText, storedUrl } from "../users/fields.ts";
import * as handles from "../users/handles.ts";
import { RESERVED } from "../users/names.ts";
import * as users from "../users/users.ts";
import { MAX_GUID } from "./feed-episodes.ts";
import { canBeSlug } from "./podcasts.ts";
import * as queries from "./queries.ts";
import { scheduleAnew, watchAnew } from "./schedule.ts";

// An empty text empties a column.

const PodcastRecord = Type.Object({
  slug: Text,
  title: Type.String({ minLength: 1, maxLength: 200 }),
  id: Id,
  owner: OptionalText,
  description: OptionalText,
  image_url: OptionalText,
  website_url: OptionalText,
  feed_url: OptionalText,
  published: flag(true),
});

export const podcastRecords = recordType({
  type: "podcast",
  schema: PodcastRecord,
  keyOf: ({ slug }) => slug.toLowerCase(),
  table: "podcasts",
  references: { owner: { ...users.byUsername, allowsBlank: true } },
  key: ({ fields }) => ({ slug: checkedSlug(fields.slug) }),
  find: (tx, keys) => queries.findPodcasts(tx, valuesOf(keys, "slug")),
  columns: ({ fields, ids }) => ({
    title: fields.title,
    ...(fields.owner !== undefined && { owner_id: ids.owner ?? null }),
    ...givenOf(fields, {
      description: storedText,
      image_url: (url) => storedUrl("image_url", url),
      website_url: (url) => storedUrl("website_url", url),
      feed_url: (url) => storedUrl("feed_url", url),
      published: Boolean,
    }),
  }),
  beforeInsert: async (tx, rows) => {
    const slugs = valuesOf(rows, "slug");
    if ((await handles.reserve(tx, "podcast", slugs)) === slugs.length) return;
    throw invalid(`slug ${quote(slugs[0] ?? "")} is the username of a user or an organization`);
  },
  after: (_tx, { created, changed }, context) => {
    const refed = changed.filter(({ change }) => change.feed_url !== undefined);
    context.state(REFED).push(...created.map(({ id }) => id), ...refed.map(({ before }) => before.id));
  },
  read: byId(queries.listPodcastsAfter),
});

/** Podcasts that get another feed, or lose theirs. */
const REFED: ImportState<number[]> = { initial: () => [], atEnd: scheduleAnew };

function checkedSlug(text: string): string {
  const slug = text.toLowerCase();
  if (!canBeSlug(slug) || /^\d+$/.test(slug)) {
    throw invalid(
      `slug ${quote(text)} must have 2 to 100 of the letters a-z, digits, - and _, and not be a number`,
    );
  }
  if (RESERVED.has(slug)) throw invalid(`slug ${quote(slug)} is reserved: choose another`);
  return slug;
}

const EpisodeRecord = Type.Object({
  podcast: Text,
  slug: Type.String({
    pattern: "^[0-9a-z_-]{1,255}$",
    "x-rule": "of the letters a-z, digits, - and _",
  }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  media_url: Text,
  id: Id,
  summary: OptionalText,
  image_url: OptionalText,
  published_at: Moment,
  duration_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  reachable: flag(true),
  guid: Type.Optional(Type.String({ maxLength: MAX_GUID })),
});

export const episodeRecords = recordType({
  type: "podcast_episode",
  schema: EpisodeRecord,
  keyOf: ({ podcast, slug }) => `${podcast.toLowerCase()}/${slug}`,
  table: "podcast_episodes",
  references: { podcast: { find: podcastIds, spell: (slug) => slug.toLowerCase() } },
  lookUp: async (tx, records) => {
    const guids = records.flatMap(({ fields }) => fields.guid || []);
    const podcasts = records.map(({ ids }) => ids.podcast);
    const rows = await queries.findEpisodes(tx, podcasts, { guids });
    return new Map(rows.map((row) => [`${row.podcast_id} ${row.guid}`, row]));
  },
  key: ({ fields, ids }) => ({ podcast_id: ids.podcast, slug: fields.slug }),
  // A refresh may have given the episode another slug.
  identify: ({ fields: { guid }, ids, known }, sameSlug) => {
    const sameGuid = guid ? known.get(`${ids.podcast} ${guid}`) : undefined;
    if (sameSlug && sameGuid && sameSlug.id !== sameGuid.id) {
      throw invalid(`guid ${quote(guid ?? "")} is that of the episode ${quote(sameGuid.slug)}`);
    }
    return sameSlug ?? sameGuid;
  },
  columns: ({ fields }) => {
    const mediaUrl = storedUrl("media_url", fields.media_url);
    if (mediaUrl === null) throw invalid("media_url can't be blank");
    return {
      title: fields.title,
      media_url: mediaUrl,
      ...givenOf(fields, {
        summary: (html) => sanitise(html).trim() || null,
        image_url: (url) => storedUrl("image_url", url),
        published_at: fromIso,
        duration_seconds: Number,
        reachable: Boolean,
        guid: (guid) => guid || null,
      }),
    };
  },
  after: (_tx, { created, changed }, context) => {
    const moved = changed.filter(({ change }) => change.media_url !== undefined).map(({ before }) => before);
    const pairs = [...created, ...moved].map(({ id, podcast_id = 0 }) => ({ id, podcast_id }));
    context.state(UNHEARD).push(...pairs);
  },
  read: byId(queries.listEpisodesAfter),
});

/** Episodes with new recordings, scheduled once at the end, because that reads all episodes of their podcasts. */
const UNHEARD: ImportState<{ id: number; podcast_id: number }[]> = { initial: () => [], atEnd: watchAnew };

async function podcastIds(tx: Db, slugs: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries.findPodcasts(
    tx,
    slugs.map((slug) => slug.toLowerCase()),
  );
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}
