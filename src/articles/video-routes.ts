import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context, Services } from "../context.ts";
import { type Answer, answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { CACHE_HEADERS, errors, LINK_HEADER, ok } from "../http/schema.ts";
import { links, sourceOf } from "./list-answers.ts";
import { listVideos } from "./lists.ts";
import { videos } from "./video-queries.ts";
import { VideoArticle, VideoList } from "./video-schema.ts";
import { video } from "./video-view.ts";

const EXAMPLE: VideoArticle = {
  type_of: "video_article",
  id: 9,
  path: "/lena/warping-a-loom-4k2p",
  cloudinary_video_url: "https://community.example/uploads/loom.jpg",
  title: "Warping a loom",
  user_id: 41,
  video_duration_in_minutes: "11:47",
  video_source_url: "https://videos.example/loom.m3u8",
  user: { name: "Lena Ortiz" },
};

/** The list of articles with a video. */
export function videoRoutes(app: App, context: Context, services: Services): void {
  app.get(
    "/api/videos",
    {
      config: { access: "public" },
      schema: {
        operationId: "listVideos",
        summary: "List articles with a video",
        description:
          "Published articles with a video and a preview image, hottest first, except those with a score of -4 or less.",
        tags: ["videos"],
        querystring: VideoList,
        response: {
          200: ok(Type.Array(VideoArticle), {
            description: "Articles with a video; an empty array past the last page.",
            example: [EXAMPLE],
            headers: { ...CACHE_HEADERS, ...LINK_HEADER },
          }),
          ...errors(304, 401, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) => answer(request, reply, () => list(context, services, request)),
  );
}

async function list(
  context: Context,
  services: Services,
  request: FastifyRequest<{ Querystring: VideoList }>,
): Promise<Answer> {
  const { page: index, per_page: limit, cursor } = request.query;
  const cut = { limit, offset: (index - 1) * limit, cursor };
  const page = await listVideos(sourceOf(context, services), cut);
  const ids = page.rows.map(({ article_id }) => article_id);
  const items = await videos(context.db.replica, ids);
  return {
    body: JSON.stringify(items.map(video)),
    headers: links(context, request, { page, index, first: 1 }),
  };
}
