import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Engine } from "../context.ts";
import { notFound } from "../errors.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import * as settings from "../settings/settings.ts";
import { robots } from "./robots.ts";
import * as sitemap from "./sitemap.ts";

const config = { access: "public", limited: true } as const;
const schema = { hide: true };

/** What tells search engines where everything is, and where they needn't look. */
export function sitemapRoutes(app: App, context: Context, engine: Engine): void {
  const site = { db: context.db.replica, baseUrl: context.config.baseUrl };
  app.get("/sitemap.xml", { config, schema }, (request, reply) => send(request, reply, sitemap.whole(site)));

  app.get<{ Params: { part: string } }>("/sitemap-:part", { config, schema }, (request, reply) => {
    const part = sitemap.readPart(request.params.part);
    if (part === undefined) throw notFound();
    return send(request, reply, sitemap.part(site, part.kind, part.number));
  });

  app.get("/robots.txt", { config: { access: "open" }, schema }, (request, reply) =>
    answer(request, reply, async () => {
      const { visibility } = await settings.remembered(engine.fresh, context.db.main);
      return { body: robots({ visibility, baseUrl: site.baseUrl }), type: "text/plain; charset=utf-8" };
    }),
  );
}

/** Sends a text as it is made. The first piece comes before the head, so that it may still be a refusal. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  const first = await pieces.next();
  if (first.done) throw notFound();
  reply.header("cache-control", request.inPrivate ? "private, no-store" : "public, max-age=3600");
  reply.header("vary", "api-key").type("application/xml; charset=utf-8");
  // Whoever asks for the head alone needn't have the rest made.
  const rest = request.method === "HEAD" ? [] : pieces;
  return reply.send(Readable.from(joined(first.value, rest), { objectMode: false }));
}

async function* joined(first: string, rest: AsyncIterable<string> | Iterable<string>) {
  yield first;
  yield* rest;
}
