import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { cutCounted } from "../http/pages.ts";
import { listed } from "../http/schema.ts";
import { addressOf } from "../images/profile-picture.ts";
import { pathUnder } from "../paths.ts";
import * as podcasts from "./podcasts.ts";
import type { ListedRow } from "./queries.ts";
import { PodcastEpisode, PodcastEpisodeList } from "./schema.ts";

const EXAMPLE: PodcastEpisode = {
  type_of: "podcast_episodes",
  class_name: "PodcastEpisode",
  id: 3,
  path: "/loomcast/ep-4",
  title: "Ep 4: the weft",
  image_url: "https://loomcast.example/cover.png",
  podcast: { title: "Loomcast", slug: "loomcast", image_url: "https://loomcast.example/cover.png" },
};

export function podcastRoutes(app: App, { config, db }: Context): void {
  app.get(
    "/api/podcast_episodes",
    {
      config: { access: "public" },
      schema: {
        operationId: "listPodcastEpisodes",
        summary: "List podcast episodes",
        description:
          "Available episodes of published podcasts, newest first. A `username` without any is 404.",
        tags: ["podcasts"],
        querystring: PodcastEpisodeList,
        response: listed(PodcastEpisode, {
          description: "The episodes; an empty array past the last page.",
          example: [EXAMPLE],
          refusals: [404],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const { username, ...paged } = request.query;
        const asked = { request, baseUrl: config.baseUrl, ...paged };
        const { rows, headers } = await cutCounted(asked, podcasts.available(db.replica, username));
        return { body: JSON.stringify(rows.map((row) => episode(row, config.baseUrl))), headers };
      }),
  );
}

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
