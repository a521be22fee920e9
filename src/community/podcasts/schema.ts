import { type Static, Type } from "typebox";
import { count, listPage, text } from "../../http/schema.ts";

/** An episode in a list. Clients depend on `type_of` being a plural. */
export const PodcastEpisode = Type.Object(
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
export type PodcastEpisode = Static<typeof PodcastEpisode>;

export const PodcastEpisodeList = Type.Object({
  ...listPage({ default: 30, max: 1000 }),
  username: Type.Optional(
    Type.String({
      description: "Only episodes of the podcast with this slug, in any case.",
      examples: ["bench-notes"],
      "x-any-text": true,
    }),
  ),
});

export const EPISODE_EXAMPLE: PodcastEpisode = {
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
