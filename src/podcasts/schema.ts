import { type Static, Type } from "typebox";
import { listPage } from "../http/schema.ts";

/** An episode as lists show it. `type_of` is a plural: clients depend on it. */
export const PodcastEpisode = Type.Object(
  {
    type_of: Type.Literal("podcast_episodes"),
    class_name: Type.Literal("PodcastEpisode"),
    id: Type.Integer(),
    path: Type.String({ description: "Where the episode is found on the site." }),
    title: Type.String(),
    image_url: Type.String({ description: "The picture of the episode, else that of its podcast." }),
    podcast: Type.Object({
      title: Type.String(),
      slug: Type.String(),
      image_url: Type.String({ description: "A podcast without a picture has a generated pattern." }),
    }),
  },
  { title: "PodcastEpisode" },
);
export type PodcastEpisode = Static<typeof PodcastEpisode>;

export const PodcastEpisodeList = Type.Object({
  ...listPage({ default: 30, max: 1000 }),
  username: Type.Optional(
    Type.String({
      description: "Only the episodes of the podcast with this slug; case makes no difference.",
      examples: ["loomcast"],
      "x-any-text": true,
    }),
  ),
});
export type PodcastEpisodeList = Static<typeof PodcastEpisodeList>;
