import { addressOf } from "../images/profile-picture.ts";
import { pathUnder } from "../paths.ts";
import type { ListedRow } from "./queries.ts";
import type { PodcastEpisode } from "./schema.ts";

export function episode(row: ListedRow, baseUrl: string): PodcastEpisode {
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
