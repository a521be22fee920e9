import type { FastifyReply, FastifyRequest } from "fastify";
import type { Databases } from "../../platform/db/connect.ts";
import { notFound } from "../../platform/errors.ts";
import { answer } from "../../http/answers.ts";
import type { Mount } from "../../http/operation.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as sitemap from "./sitemap.ts";

const config = { access: "public", limited: true } as const;
const schema = { hide: true };

export const sitemapRoutes: Mount = (app, { baseUrl, cache, now }) => {
  const siteOn = ({ replica }: Databases) => ({ db: replica, baseUrl, now: now() });
  app.get("/sitemap.xml", { config, schema }, (request, reply) =>
    send(request, reply, (db) => sitemap.whole(siteOn(db))),
  );

  app.get<{ Params: { part: string } }>("/sitemap-:part", { config, schema }, (request, reply) =>
    send(request, reply, (db) => sitemap.part(siteOn(db), request.params.part)),
  );

  app.get("/robots.txt", { config: { access: "open" }, schema }, (request, reply) =>
    answer(request, reply, async (db) => {
      const { visibility } = await settings.cached(cache, db);
      const body = visibility === "private" ? "User-agent: *\nDisallow: /\n" : robots(baseUrl);
      return { body, type: "text/plain; charset=utf-8" };
    }),
  );
};

type Write = (db: Databases) => Promise<string | undefined>;

function send(request: FastifyRequest, reply: FastifyReply, write: Write) {
  return answer(request, reply, async (db) => {
    const body = await write(db);
    if (body === undefined) throw notFound();
    const headers = request.inPrivate ? undefined : { "cache-control": "public, max-age=3600" };
    return { body, type: "application/xml; charset=utf-8", ...(headers && { headers }) };
  });
}

const FOR_PROGRAMS = ["/api/", "/healthz", "/readyz"];

function robots(baseUrl: string): string {
  const refused = FOR_PROGRAMS.map((path) => `Disallow: ${path}\n`).join("");
  return `User-agent: *\n${refused}\nSitemap: ${baseUrl}/sitemap.xml\n`;
}
