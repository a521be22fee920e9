import { list, operations } from "../../http/operation.ts";
import { listed } from "../../http/responses.ts";
import { addressOf } from "../../content/images/profile-picture.ts";
import { pathUnder } from "../../platform/paths.ts";
import * as podcasts from "./podcasts.ts";
import type { ListedRow } from "./queries.ts";
import { EPISODE_EXAMPLE, PodcastEpisode, PodcastEpisodeList } from "./schema.ts";

export const podcastRoutes = operations("podcasts", [
  list({
    path: "GET /api/podcast_episodes",
    id: "listPodcastEpisodes",
    access: "public",
    summary: "List podcast episodes",
    description: "Available episodes of published podcasts, newest first. A `username` without any is 404.",
    query: PodcastEpisodeList,
    answers: listed(PodcastEpisode, "the episodes", EPISODE_EXAMPLE, { refusals: [404] }),
    rows: ({ query }, { db }, part) => podcasts.available(db.replica, query.username)(part),
    show: (row, { baseUrl }) => episode(row, baseUrl),
  }),
]);

function episode(row: ListedRow, baseUrl: string): PodcastEpisode {
  const podcast = { kind: "podcast", id: row.podcast_id, profile_image: row.podcast_image_url } as const;
  const cover = addressOf(podcast, 640, baseUrl);
  return {
    type_of: "podcast_episodes",
    class_name: "PodcastEpisode",
    id: row.id,
    path: pathUnder(row.podcast_slug, row.slug),
    title: row.title,
    image_url: row.image_url ?? cover,
    podcast: { title: row.podcast_title, slug: row.podcast_slug, image_url: cover },
  };
}
