import { Type } from "typebox";
import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { cutCounted } from "../http/pages.ts";
import { CACHE_HEADERS, errors, LINK_HEADER, ok } from "../http/schema.ts";
import * as podcasts from "./podcasts.ts";
import { PodcastEpisode, PodcastEpisodeList } from "./schema.ts";
import * as view from "./view.ts";

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
        response: {
          200: ok(Type.Array(PodcastEpisode), {
            description: "The episodes; an empty array past the last page.",
            example: [EXAMPLE],
            headers: { ...CACHE_HEADERS, ...LINK_HEADER },
          }),
          ...errors(304, 401, 404, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const { username, ...paged } = request.query;
        const asked = { request, baseUrl: config.baseUrl, ...paged };
        const { rows, headers } = await cutCounted(asked, podcasts.available(db.replica, username));
        return { body: JSON.stringify(rows.map((row) => view.episode(row, config.baseUrl))), headers };
      }),
  );
}
