import { randomUUID } from "node:crypto";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { App } from "../../src/http/app-type.ts";
import { CREATE_FIELDS } from "../../src/community/listings/fields.ts";
import { parseUrl } from "../../src/platform/text/urls.ts";
import type { Call, Reply } from "../world.ts";
import { ORGANIZATION } from "./cast.ts";

export interface ParameterDescription {
  name: string;
  in: "query" | "path" | "header";
  required?: boolean;
  description?: string;
  schema: { type?: string; enum?: string[]; minimum?: number; maximum?: number };
}

interface MediaType {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface ResponseDescription {
  description?: string;
  headers?: Record<string, { description?: string }>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  method: string;
  path: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters: ParameterDescription[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, ResponseDescription>;
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
}

/** The description that a server gives of itself, in a form that can be walked. */
export function describe(app: App): Document & { operations: Operation[] } {
  const document = resolved(app) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters ?? [],
      method: method.toUpperCase(),
      path,
    })),
  );
  return { ...document, operations };
}

export function exampleOf({ example, examples = {} }: MediaType): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

/** The description with its shared responses, parameters, headers and examples in place; schemas stay references. */
function resolved(app: App): object {
  const document = app.swagger() as { components: Record<string, Record<string, unknown>> };
  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const [, kind = "", name = ""] =
      ("$ref" in value && /^#\/components\/(?!schemas)(.+)\/(.+)$/.exec(String(value.$ref))) || [];
    if (kind !== "") return resolve(document.components[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, resolve(held)]));
  }
  return resolve(document) as object;
}

const FORMATS = {
  uri: (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""),
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/,
};

/** Lists the differences between an answer and its description, which has to name everything in it. */
export function createJudge(app: App) {
  const document = close(resolved(app)) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  ajv.addSchema(document, "document");
  const known = new Map<string, ValidateFunction>();

  function validator(pointer: string): ValidateFunction {
    const validate = known.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    known.set(pointer, validate);
    return validate;
  }

  return function faultsOf(
    { method, path, responses }: Operation,
    { status, headers, body, text }: Reply,
  ): string[] {
    const response = responses[status];
    if (response === undefined) return [`${status} isn't declared: ${text.slice(0, 200)}`];
    if (response.content === undefined) return text === "" ? [] : [`${status} has a body`];
    const [type = "", ...more] = String(headers["content-type"]).split("; ");
    if (!more.includes("charset=utf-8")) return [`${status} doesn't say its charset`];
    if (response.content[type] === undefined) return [`${status} has the type ${type}`];
    const steps = [
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      String(status),
      "content",
      type,
      "schema",
    ];
    const validate = validator(
      steps.map((step) => `/${encodeURIComponent(step.replaceAll("/", "~1"))}`).join(""),
    );
    return validate(body)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

/** The same description, in which objects have no properties but those that are named. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== "object" || value === null) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, held]) => [key, close(held)]));
  const isObjectSchema = closed["type"] === "object" && "properties" in closed;
  return isObjectSchema ? { additionalProperties: false, ...closed } : closed;
}

/**
 * Attributes in the bodies of writes. Tests send each of them with any value. Names of columns that are not
 * among them must change nothing.
 */
interface Wrapped {
  attributes: readonly string[];
  /** The attributes that a new one needs. */
  needed(): object;
}

/** What bodies wrap, by the name of the wrapper. */
export const WRAPPED: Record<string, Wrapped> = {
  article: {
    attributes: [
      "title",
      "body_markdown",
      "published",
      "tags",
      "main_image",
      "canonical_url",
      "description",
      "series",
      "collection_id",
      "organization_id",
      "published_at",
      "video_source_url",
    ],
    needed: () => ({ title: randomUUID(), body_markdown: "x" }),
  },
  listing: {
    attributes: Object.keys(CREATE_FIELDS),
    needed: () => ({ title: "x", body_markdown: "x", category: "misc" }),
  },
  comment: {
    attributes: ["body_markdown", "a_id", "p_id", "parent_id_code"],
    needed: () => ({ body_markdown: "x", a_id: 1 }),
  },
  webhook_endpoint: {
    attributes: ["source", "target_url", "events"],
    needed: () => ({
      source: "x",
      target_url: `https://hooks.example/${randomUUID()}`,
      events: ["follow_created"],
    }),
  },
};

export interface Subject {
  id: number;
  slug: string;
  /** Of a comment on it. */
  code?: string;
  /** To a webhook endpoint. */
  deliveryId?: number;
  author: { id: number; username: string };
}

const listing = (title: string) => ({ listing: { title, body_markdown: "Some words.", category: "misc" } });
const webhook_endpoint = () => ({
  source: "tests",
  target_url: `https://hooks.example/${randomUUID()}`,
  events: ["article_published"],
});
const article = (title: string) => ({ article: { title, body_markdown: "Some words." } });

/** A body that an operation takes, by its name; others take none. */
const BODIES: Record<string, (subject: Subject) => Pick<Call, "body" | "headers">> = {
  createArticle: () => ({ body: article(`New ${randomUUID()}`) }),
  updateArticle: () => ({ body: article(`Changed ${randomUUID()}`) }),
  createListing: () => ({ body: listing(`New ${randomUUID()}`) }),
  updateListing: () => ({ body: listing(`Changed ${randomUUID()}`) }),
  createWebhook: () => ({ body: { webhook_endpoint: webhook_endpoint() } }),
  createComment: ({ id }) => ({ body: { comment: { body_markdown: `New ${randomUUID()}`, a_id: id } } }),
  updateComment: () => ({ body: { comment: { body_markdown: `Changed ${randomUUID()}` } } }),
  uploadImage: picture,
};

/** A request that is well-formed in everything, about this subject. */
export function requestFor(operation: Operation, subject: Subject): Call {
  const { method, path, parameters } = operation;
  const isOfUser = path.startsWith("/api/users/");
  const values: Record<string, string> = {
    id: String(isOfUser ? subject.author.id : subject.id),
    username: ORGANIZATION,
    slug: subject.slug,
    category: "misc",
    delivery_id: String(subject.deliveryId ?? 0),
    a_id: String(subject.id),
    start: "2026-03-01",
    id_code: subject.code ?? "",
    article_id: String(subject.id),
    kind: "organizations",
    name: ORGANIZATION,
    url: isOfUser ? subject.author.username : `/${ORGANIZATION}/${subject.slug}`,
  };
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? "");
  const query = parameters
    .filter((one) => one.in === "query" && (one.required || one.name === "a_id"))
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? "")}`);
  const url = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  return { method, url, ...BODIES[operation.operationId ?? ""]?.(subject) };
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A picture of one pixel, as a form sends it. */
function picture(): Pick<Call, "body" | "headers"> {
  const boundary = "-----picture";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.from(PIXEL, "base64"),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}
