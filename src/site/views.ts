import { Type } from "typebox";
import { findCounted, noteRead } from "../community/articles/reading.ts";
import type { Mount } from "../http/operation.ts";

const Report = Type.Object({
  article_id: Type.Integer({ minimum: 1 }),
  /** The origin of the page that led to the article. */
  referrer: Type.Optional(Type.String({ maxLength: 300 })),
});

/** Counts reads of articles that a cache in front of the server sends: a script in each page reports its own. */
export const viewRoutes: Mount = (app, { config, db, now, views }) => {
  if (config.edgeSeconds === 0) return;
  app.post(
    "/views",
    {
      config: { access: "public", limited: true, isRead: true },
      schema: { hide: true, querystring: Report },
    },
    async ({ query, ip, headers, caller }, reply) => {
      const row = await findCounted(db.shared, query.article_id);
      const reader = { method: "GET", ip, headers: { ...headers, referer: query.referrer }, caller };
      noteRead(views, reader, { row, at: now() });
      return reply.code(204).header("cache-control", "no-store").send();
    },
  );
};
