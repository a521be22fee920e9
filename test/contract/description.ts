import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { App } from "../../src/http/app-type.ts";
import type { Reply } from "../world.ts";
import { parseUrl } from "../../src/text/urls.ts";

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
