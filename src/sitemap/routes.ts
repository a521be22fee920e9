import { pipeline, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Services } from "../context.ts";
import { notFound } from "../errors.ts";
import { answer, etagOf, isKnown } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { createPacker, preferredEncoding } from "../http/encodings.ts";
import { giveBack } from "../http/rate-limit.ts";
import * as settings from "../settings/settings.ts";
import { robots } from "./robots.ts";
import * as sitemap from "./sitemap.ts";
import type { Sitemap } from "./sitemap.ts";

const config = { access: "public", limited: true } as const;
const schema = { hide: true };

export function sitemapRoutes(app: App, context: Context, services: Services): void {
  const site = { db: context.db.replica, baseUrl: context.config.baseUrl, now: context.now };
  app.get("/sitemap.xml", { config, schema }, async (request, reply) =>
    send(request, reply, await services.cache.memoize("sitemap", () => sitemap.whole(site), sizeOf)),
  );

  app.get<{ Params: { part: string } }>("/sitemap-:part", { config, schema }, async (request, reply) => {
    const { part } = request.params;
    const found = await services.cache.memoize(`sitemap ${part}`, () => sitemap.part(site, part));
    if (found === undefined) throw notFound();
    return send(request, reply, found);
  });

  app.get("/robots.txt", { config: { access: "open" }, schema }, (request, reply) =>
    answer(request, reply, async () => {
      const { visibility } = await settings.cached(services.cache, context.db.main);
      return { body: robots({ visibility, baseUrl: site.baseUrl }), type: "text/plain; charset=utf-8" };
    }),
  );
}

const sizeOf = ({ version }: Sitemap) => version.length + 1_000;

function send(request: FastifyRequest, reply: FastifyReply, { version, pieces }: Sitemap): FastifyReply {
  const etag = etagOf(version);
  reply.header("cache-control", request.inPrivate ? "private, no-store" : "public, max-age=3600");
  reply.headers({ etag, vary: "Accept-Encoding, api-key" });
  if (isKnown(request, etag)) {
    giveBack(request, reply);
    return reply.code(304).send();
  }
  reply.type("application/xml; charset=utf-8");
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  // Spares making the text.
  if (request.method === "HEAD") return reply.send();
  const text = Readable.from(pieces(), { objectMode: false });
  // When either stream ends early, so does the other.
  return reply.send(encoding === undefined ? text : pipeline(text, createPacker(encoding), () => {}));
}
