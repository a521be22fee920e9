import swaggerUi from "@fastify/swagger-ui";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "./app-type.ts";

const DOCS_PATH = "/api/docs";

/** The page needs its own scripts, styles and pictures, and the server it describes; nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page and its files are of one version, so that all are asked for again after an upgrade. */
async function haveAskedAgain(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header("cache-control", "no-cache");
}

/** Serves a page on which the interface can be read and tried. */
export async function docsPage(app: App): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith(DOCS_PATH)) return;
    route.config = { ...route.config, access: "open" };
    route.onRequest = [route.onRequest ?? [], haveAskedAgain].flat();
  });
  // There are no other pages, so whoever opens the server's address in a browser gets this one.
  app.get("/", { config: { access: "open" }, schema: { hide: true } }, (_request, reply) =>
    reply.redirect(DOCS_PATH),
  );
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: POLICY,
    theme: { title: "Article Publishing Community API" },
    uiConfig: { layout: "BaseLayout", docExpansion: "list", deepLinking: true, validatorUrl: null },
  });
}
