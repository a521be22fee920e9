import swagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifySchema, RouteOptions } from "fastify";
import { Type } from "typebox";
import type { App } from "./app-type.ts";
import type { Access } from "./auth.ts";
import { type ConstantText, constantText, letEdgeKeep, sendConstant } from "./answers.ts";
import { JSON_TYPE, VENDOR_TYPE } from "./negotiation.ts";
import { nameSchemas, shareRepeated } from "./openapi-components.ts";
import { PARAMETER_KEYWORDS } from "./parameters.ts";
import { errors } from "./responses.ts";

const INFO = {
  title: "Article Publishing Community API",
  license: { name: "MIT", identifier: "MIT" },
  description: `The public HTTP/JSON API of an Inkstone community.

**Responses** are JSON with the media type \`application/vnd.service.api-v1+json\`, or \`application/json\` for clients
that accept only that; search always uses the former. Errors are \`{"error": "...", "status": 422}\`; where
\`error\` is a fixed text such as \`unauthorized\`, \`detail\` may say more. Attributes that an operation doesn't know
are ignored, and named in \`warnings\` of the response.

**Keys** are sent in the \`api-key\` header. Public operations need no key and ignore a wrong one, unless the community
is private. Elsewhere, a missing or wrong key, or a missing permission, is 401.

**Parameters** are strict: an integer consists of digits only; a repeated parameter is 422; a blank one counts as
absent; unknown ones are ignored. Pages of search start from 0, pages of other lists from 1.

**Caching**: public responses carry an \`ETag\`. With \`If-None-Match\`, an unchanged response is 304 without a body.

**Rate limits**: \`RateLimit\` and \`RateLimit-Policy\` state how many requests are left; with a 429, \`Retry-After\` states the
seconds to wait.`,
};

const TAGS = [
  { name: "articles", description: "Search, read and write articles." },
  { name: "users", description: "Users and their profiles." },
  { name: "organizations", description: "Organizations, their members and their articles." },
  { name: "follows", description: "Followers, and what the caller follows." },
  { name: "tags", description: "Tags of articles." },
  { name: "comments", description: "Comments on articles and podcast episodes." },
  { name: "podcasts", description: "Podcast episodes." },
  { name: "listings", description: "Classified listings." },
  { name: "reading list", description: "Articles that the caller has saved." },
  { name: "notifications", description: "What has happened that concerns the caller." },
  { name: "videos", description: "Articles with a video." },
  { name: "images", description: "Profile images, and images for articles." },
  { name: "analytics", description: "Views, reactions, comments and follows of published articles." },
  { name: "webhooks", description: "Endpoints that receive events, and deliveries to them." },
  { name: "instance", description: "The community, and the health of its server." },
];

const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "api-key", description: "An API key of a user." },
  healthCheckToken: {
    type: "apiKey",
    in: "header",
    name: "health-check-token",
    description: "The server's HEALTH_CHECK_TOKEN. Requests from the same computer don't need it.",
  },
  metricsToken: {
    type: "http",
    scheme: "bearer",
    description:
      "The server's METRICS_TOKEN. If it isn't set, requests from the same computer need no token.",
  },
} as const;

const OPENAPI_PATH = "/api/openapi.json";

export async function describeApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { ...INFO, version: "v1" },
      servers: [{ url: "/", description: "This server." }],
      tags: TAGS,
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: ({ schema, url, route }) => ({ url, schema: describe(schema, route) }),
    transformObject: (document) =>
      "openapiObject" in document ? shareRepeated(nameSchemas(document.openapiObject)) : {},
  });
  serveDescription(app);
}

function serveDescription(app: App): void {
  let text: ConstantText | undefined;
  const schema = { hide: true };
  app.get(OPENAPI_PATH, { config: { access: "open" }, schema }, async (request, reply) => {
    text ??= constantText("application/json; charset=utf-8", JSON.stringify(app.swagger()));
    reply.header("cache-control", "public, no-cache");
    letEdgeKeep(request, reply);
    return sendConstant(request, reply, text);
  });
}

const AS_PATCH = " PATCH does the same.";

function describe(
  schema: FastifySchema | undefined,
  { method, config = {} }: Pick<RouteOptions, "method" | "config">,
): FastifySchema {
  if (schema === undefined) return { hide: true };
  const { access = "open" } = config;
  const { response, ...headers } = conditions(config, schema.operationId);
  return {
    ...schema,
    ...headers,
    ...(method === "PUT" && { description: `${schema.description ?? ""}${AS_PATCH}`.trim() }),
    ...(isJsonBody(schema.body) && { consumes: [JSON_TYPE, VENDOR_TYPE] }),
    params: documented(schema.params),
    querystring: documented(schema.querystring),
    response: { ...ALWAYS_POSSIBLE, ...(response as object), ...(schema.response as object | undefined) },
    security: SECURITY[access],
  };
}

function isJsonBody(body: unknown): boolean {
  return typeof body === "object" && body !== null && !("content" in body);
}

const ALWAYS_POSSIBLE = errors(400, 413, 414, 415, 417, 431);

/** Alternatives; `{}` stands for none. */
const SECURITY: Record<Access, Record<string, string[]>[]> = {
  key: [{ apiKey: [] }],
  write: [{ apiKey: [] }],
  admin: [{ apiKey: [] }],
  staff: [],
  admins: [],
  public: [{}, { apiKey: [] }],
  health: [{}, { healthCheckToken: [] }],
  metrics: [{}, { metricsToken: [] }],
  open: [],
  // Pages, which the document doesn't list.
  session: [],
  member: [],
};

interface ObjectSchema {
  properties: Record<string, object>;
  required?: string[];
}

function documented(parameters: unknown): unknown {
  if (typeof parameters !== "object" || parameters === null || !("properties" in parameters))
    return parameters;
  const { properties, required = [] } = parameters as ObjectSchema;
  return {
    ...parameters,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, withoutOwnKeywords(schema)]),
    ),
    required: required.filter((name) => !("default" in (properties[name] ?? {}))),
  };
}

function withoutOwnKeywords(schema: object): object {
  const known = Object.entries(schema).filter(([key]) => !PARAMETER_KEYWORDS.includes(key));
  return {
    ...Object.fromEntries(known),
    ...("x-described-as" in schema && (schema["x-described-as"] as object)),
  };
}

/** Each operation has a key of its own, because the same key with another request is refused. */
const idempotencyKey = (example: string) =>
  Type.String({
    examples: [example],
    minLength: 1,
    maxLength: 255,
    pattern: "^[\\x20-\\x7e]+$",
    description:
      "A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.",
  });

const IfMatch = Type.String({
  examples: ["*"],
  description:
    "An `ETag` of the resource, or `*` for any version. If the resource has changed since, the request fails and changes nothing.",
});

function conditions({ idempotent, versioned }: FastifyContextConfig, operationId = ""): FastifySchema {
  const properties = {
    ...(idempotent && { "Idempotency-Key": idempotencyKey(`${operationId}-2026-03-02`) }),
    ...(versioned && { "If-Match": IfMatch }),
  };
  const headers = Object.keys(properties).length > 0 && { type: "object", properties };
  return {
    ...(headers && { headers }),
    response: { ...(idempotent && errors(409, 422)), ...(versioned && errors(412)) },
  };
}
