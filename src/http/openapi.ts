import swagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifySchema, RouteOptions } from "fastify";
import { Type } from "typebox";
import type { App } from "./app-type.ts";
import type { Access } from "./auth.ts";
import { type ConstantText, constantText, sendConstant } from "./answers.ts";
import { JSON_TYPE, VENDOR_TYPE } from "./forem-compat.ts";
import { nameSchemas, shareRepeated } from "./openapi-components.ts";
import { INFO, SECURITY_SCHEMES, TAGS } from "./openapi-text.ts";
import { PARAMETER_KEYWORDS } from "./parameters.ts";
import { errors } from "./schema.ts";

export const OPENAPI_PATH = "/api/openapi.json";

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
  const { response, ...headers } = conditions(config);
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
  public: [{}, { apiKey: [] }],
  health: [{}, { healthCheckToken: [] }],
  metrics: [{}, { metricsToken: [] }],
  open: [],
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

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[\\x20-\\x7e]+$",
  description:
    "A text of the client's choice that identifies the request. For at least 24 hours, the same request with the same key gets the same answer and has no further effect.",
});

const IfMatch = Type.String({
  description:
    "An `ETag` of the resource. If the resource has changed since, the request fails and changes nothing.",
});

function conditions({ idempotent, versioned }: FastifyContextConfig): FastifySchema {
  const properties = {
    ...(idempotent && { "Idempotency-Key": IdempotencyKey }),
    ...(versioned && { "If-Match": IfMatch }),
  };
  const headers = Object.keys(properties).length > 0 && { type: "object", properties };
  return {
    ...(headers && { headers }),
    response: { ...(idempotent && errors(409, 422)), ...(versioned && errors(412)) },
  };
}
