import { readFile } from "node:fs/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { IS_SOURCE, locate } from "../layout.ts";
import * as settings from "../settings/settings.ts";
import { element } from "../text/xml.ts";
import type { App } from "./app-type.ts";
import { type ConstantText, constantText, sendConstant } from "./answers.ts";
import { OPENAPI_PATH } from "./openapi.ts";

const DOCS_PATH = "/api/docs";

/** The page loads only its own scripts, styles and pictures. */
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

const OWN = locate("../assets/docs/");
const SWAGGER_UI = IS_SOURCE
  ? new URL("static/", import.meta.resolve("@fastify/swagger-ui"))
  : locate("swagger-ui/");

const FILES = [
  { name: "swagger-ui.css", folder: SWAGGER_UI, type: "text/css; charset=utf-8" },
  { name: "docs.css", folder: OWN, type: "text/css; charset=utf-8" },
  { name: "swagger-ui-bundle.js", folder: SWAGGER_UI, type: "text/javascript; charset=utf-8" },
  { name: "docs.js", folder: OWN, type: "text/javascript; charset=utf-8" },
];

const config = { access: "open" } as const;
const schema = { hide: true };

export function docsPage(app: App): void {
  for (const path of [DOCS_PATH, `${DOCS_PATH}/`]) app.get(path, { config, schema }, sendPage);
  for (const { name, folder, type } of FILES) {
    let text: Promise<ConstantText> | undefined;
    app.get(fileOf(name), { config, schema }, async (request, reply) => {
      text ??= readFile(new URL(name, folder)).then((body) => constantText(type, body));
      // All files are of one version.
      reply.header("cache-control", "no-cache");
      return sendConstant(request, reply, await text);
    });
  }
}

async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { cache, db } = request.server;
  // The page also works without the database.
  const { community_name: name } = await settings.cached(cache, db.main).catch(settings.defaults);
  reply.headers({ "cache-control": "no-cache", "content-security-policy": POLICY });
  return sendConstant(request, reply, constantText("text/html; charset=utf-8", pageOf(name)));
}

const fileOf = (name: string) => `${DOCS_PATH}/static/${name}`;

function pageOf(name: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${element("title", {}, `API of ${name}`).xml}
<link rel="icon" type="image/png" href="/assets/default-organization-640.png">
<link rel="stylesheet" href="${fileOf("swagger-ui.css")}">
<link rel="stylesheet" href="${fileOf("docs.css")}">
</head>
<body>
<header>
${element("strong", {}, name).xml}
<a href="${OPENAPI_PATH}">OpenAPI document</a>
</header>
<main id="docs"></main>
<script src="${fileOf("swagger-ui-bundle.js")}"></script>
<script src="${fileOf("docs.js")}"></script>
</body>
</html>
`;
}
