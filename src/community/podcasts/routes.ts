import { type Static, Type } from "typebox";
import { list, operations } from "../../http/operation.ts";
import { listed } from "../../http/responses.ts";
import { addressOf } from "../../content/images/profile-picture.ts";
import { count, listPage, text } from "../../http/schema.ts";
import { pathUnder } from "../../platform/paths.ts";
import * as podcasts from "./podcasts.ts";
import type { ListedRow } from "./queries.ts";

/** An episode in a list. Clients depend on `type_of` being a plural. */
const PodcastEpisode = Type.Object(
  {
    type_of: Type.Literal("podcast_episodes", { description: "The type of the resource." }),
    class_name: Type.Literal("PodcastEpisode", { description: "The type of the resource in another form." }),
    id: count("The id of the episode."),
    path: text("The path of the episode on this site."),
    title: text("The title of the episode."),
    image_url: text("The URL of the episode's image, or else of the podcast's."),
    podcast: Type.Object(
      {
        title: text("The title of the podcast."),
        slug: text("The podcast's name in URLs."),
        image_url: text("The URL of the podcast's image, or of a generated pattern."),
      },
      { description: "The podcast that the episode belongs to." },
    ),
  },
  { title: "PodcastEpisode", description: "An episode of a podcast." },
);
type PodcastEpisode = Static<typeof PodcastEpisode>;

const PodcastEpisodeList = Type.Object({
  ...listPage({ default: 30, max: 1000 }),
  username: Type.Optional(
    Type.String({
      description: "Only episodes of the podcast with this slug, in any case.",
      examples: ["bench-notes"],
      "x-any-text": true,
    }),
  ),
});

const EPISODE_EXAMPLE: PodcastEpisode = {
  type_of: "podcast_episodes",
  class_name: "PodcastEpisode",
  id: 3,
  path: "/bench-notes/zips-an-apology",
  title: "Zips: an apology",
  image_url: "https://community.example/assets/identicons/podcast-1-640.png",
  podcast: {
    title: "Bench Notes",
    slug: "bench-notes",
    image_url: "https://community.example/assets/identicons/podcast-1-640.png",
  },
};

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
