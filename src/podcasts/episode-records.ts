import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { givenOf } from "../records/columns.ts";
import { recordType } from "../records/driver.ts";
import { fromIso } from "../records/iso.ts";
import { byId } from "../records/pages.ts";
import type { ImportState } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import { sanitise } from "../text/sanitise.ts";
import { storedUrl } from "../users/fields.ts";
import * as queries from "./queries.ts";
import { EpisodeRecord } from "./record-schema.ts";
import { watchAnew } from "./schedule.ts";

/** An empty text empties a column. */
export const episodeRecords = recordType({
  type: "podcast_episode",
  schema: EpisodeRecord,
  keyOf: ({ podcast, slug }) => `${podcast.toLowerCase()}/${slug}`,
  table: "podcast_episodes",
  references: { podcast: { find: podcastIds, spell: (slug) => slug.toLowerCase() } },
  lookUp: async (tx, records) => {
    const guids = records.flatMap(({ fields }) => fields.guid || []);
    const rows = await queries.findEpisodesByGuid(
      tx,
      records.map(({ ids }) => ids.podcast),
      guids,
    );
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
