import type { ListedRow } from "./queries.ts";
import type { PodcastEpisode } from "./schema.ts";

/** An episode as lists show it. */
export function episode(row: ListedRow): PodcastEpisode {
  return {
    type_of: "podcast_episodes",
    class_name: "PodcastEpisode",
    id: row.id,
    path: `/${row.podcast_slug}/${row.slug}`,
    title: row.title,
    image_url: row.image_url ?? row.podcast_image_url,
    podcast: { title: row.podcast_title, slug: row.podcast_slug, image_url: row.podcast_image_url },
  };
}
