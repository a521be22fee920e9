import { violatedUnique } from "../db/failures.ts";
import { invalid } from "../errors.ts";
import { givenOf, valuesOf } from "../records/columns.ts";
import { recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import type { ImportState } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import { storedText, storedUrl } from "../users/fields.ts";
import { isReserved } from "../users/names.ts";
import * as users from "../users/users.ts";
import * as handles from "../users/handles.ts";
import { canBeSlug } from "./podcasts.ts";
import * as queries from "./queries.ts";
import { PodcastRecord } from "./record-schema.ts";
import { scheduleAnew } from "./schedule.ts";

/** An empty text empties a column. */
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
  beforeInsert: (tx, rows) => handles.take(tx, "podcast", valuesOf(rows, "slug")),
  explain: (error, rows) => {
    if (violatedUnique(error) !== "handles_pkey") return undefined;
    return invalid(`slug ${quote(rows[0]?.slug ?? "")} is the username of a person or an organization`);
  },
  after: (_tx, { created, changed }, context) => {
    const refed = changed.filter(({ change }) => change.feed_url !== undefined);
    context.state(REFED).push(...created.map(({ id }) => id), ...refed.map(({ before }) => before.id));
  },
  read: byId(queries.listPodcastsAfter),
});

/** Podcasts that get another feed, or lose theirs. */
const REFED: ImportState<number[]> = { initial: () => [], atEnd: scheduleAnew };

/** @throws AppError invalid */
function checkedSlug(text: string): string {
  const slug = text.toLowerCase();
  if (!canBeSlug(slug) || /^\d+$/.test(slug)) {
    throw invalid(
      `slug ${quote(text)} must have 2 to 100 of the letters a-z, digits, - and _, and not be a number`,
    );
  }
  if (isReserved(slug)) throw invalid(`slug ${quote(slug)} is reserved: choose another`);
  return slug;
}
