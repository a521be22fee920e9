/** The OpenAPI document, with its references in place except those of schemas. */
export interface ApiDocument {
  tags: { name: string; description: string }[];
  operations: Operation[];
  schemas: Record<string, Schema>;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The names of the security schemes that it takes; none stands for a request without any. */
  security: (string | undefined)[];
  parameters: Parameter[];
  body: Body | undefined;
  responses: [status: string, response: Response][];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Schema;
  example: string | number;
}

interface Body {
  type: string;
  schema: Schema;
  example: unknown;
}

interface Response {
  description: string;
  headers?: Record<string, { description: string }>;
  content?: Record<string, Media>;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: string[];
  const?: string | number | boolean;
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
}

interface RawOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
}

interface Raw {
  tags: ApiDocument["tags"];
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, Schema> };
}

const NO_SCHEMA = /^#\/components\/(?!schemas)([^/]+)\/(.+)$/;

export function readDocument(raw: object): ApiDocument {
  const { components } = raw as { components: Record<string, Record<string, unknown>> };
  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const [, kind = "", name = ""] = ("$ref" in value && NO_SCHEMA.exec(String(value.$ref))) || [];
    if (kind !== "") return resolve(components[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, resolve(held)]));
  }
  const document = resolve(raw) as Raw;
  return {
    tags: document.tags,
    schemas: document.components.schemas,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => toOperation(method, path, operation)),
    ),
  };
}

function toOperation(method: string, path: string, raw: RawOperation): Operation {
  const [type, media] = Object.entries(raw.requestBody?.content ?? {})[0] ?? [];
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    tag: raw.tags[0],
    summary: raw.summary,
    description: raw.description,
    security: (raw.security ?? []).map((way) => Object.keys(way)[0]),
    parameters: raw.parameters ?? [],
    body: type === undefined || media === undefined ? undefined : bodyOf(type, media),
    responses: Object.entries(raw.responses),
  };
}

export function exampleOf({ example, examples = {} }: Media): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

function bodyOf(type: string, media: Media): Body {
  return { type, schema: media.schema, example: exampleOf(media) };
}
