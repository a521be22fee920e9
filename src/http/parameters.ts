import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { invalid, notFound } from "../platform/errors.ts";
import { type Check, checkOf, type Schema } from "../platform/fields/schema.ts";
import { nearestName } from "../platform/nearest-name.ts";
import { quote } from "../platform/text/quote.ts";
import { faultIn } from "../platform/text/valid-text.ts";

export interface Parameter {
  name: string;
  isRequired: boolean;
  schema: ParameterSchema;
  check: Check;
}

interface ParameterSchema extends Schema {
  /** Whether also a text that can't be stored is taken: it is the name of nothing, or separates words. */
  "x-any-text"?: boolean;
  /** The message for a missing value, in place of the usual one. */
  "x-missing"?: string;
  default?: string | number;
}

interface ObjectSchema {
  properties?: Record<string, ParameterSchema>;
  required?: string[];
}

/** Keywords of parameter schemas that only this program reads. */
export const PARAMETER_KEYWORDS = ["x-rule", "x-any-text", "x-missing", "x-described-as"];

const BOUNDS = { minimum: 0, maximum: 2_147_483_647 };

export function parameters(schema: unknown): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, own]) => {
    const isText = own.type === "string" || Array.isArray(own.enum);
    if (!isText && own.type !== "integer")
      throw new Error(`Nothing reads the parameter ${name}: ${own.type}`);
    if (own.pattern !== undefined && own["x-rule"] === undefined) {
      throw new Error(`The parameter ${name} has a pattern, so it needs an x-rule that says it in words`);
    }
    const schema = isText ? own : { ...BOUNDS, ...own };
    const isRequired = required.includes(name) && schema.default === undefined;
    return { name, schema, isRequired, check: checkOf(schema) };
  });
}

const INTEGER = /^(0|[1-9][0-9]{0,9})$/;

function readValue({ name, schema, check }: Parameter, text: string): string | number {
  const isInteger = schema.type === "integer";
  const unstorable = isInteger || schema["x-any-text"] ? undefined : faultIn(text);
  if (unstorable !== undefined) throw invalid(`${name} contains ${unstorable}: leave it out`);
  const value = isInteger && INTEGER.test(text) ? Number(text) : text;
  const fault = check(value, () => `, not ${quote(text)}`);
  if (fault !== undefined) throw invalid(`${name} ${fault}`);
  return value;
}

export type RawQuery = Record<string, string | string[]>;

export function readQuery(request: FastifyRequest): void {
  const known = request.routeOptions.config.parameters?.query ?? [];
  ({ given: request.given, query: request.query } = readParameters(known, request.query as RawQuery));
}

/** Reads parameters. Blank ones count as absent, repeated ones are refused. */
export function readParameters(known: readonly Parameter[], raw: RawQuery) {
  const given: Record<string, string> = {};
  const values: Record<string, string | number> = {};
  for (const parameter of known) {
    const text = single(parameter.name, raw[parameter.name]);
    if (text === undefined) {
      if (parameter.schema.default !== undefined) values[parameter.name] = parameter.schema.default;
      continue;
    }
    given[parameter.name] = text;
    values[parameter.name] = readValue(parameter, text);
  }
  const missing = known.find(({ name, isRequired }) => isRequired && values[name] === undefined);
  if (missing !== undefined) {
    throw invalid(missing.schema["x-missing"] ?? `${missing.name} is missing: add it to the query`);
  }
  return { given, query: values };
}

function single(name: string, value: string | string[] | undefined): string | undefined {
  if (Array.isArray(value)) throw invalid(`${name} must be given once, not ${value.length} times`);
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** Clients may make up any number of names: these bound the work of one request, and the memory. */
const MOST_OF_REQUEST = 10;
const MOST_KNOWN = 1_000;
const MOST_SHOWN = 60;

/**
 * Names query parameters that an operation doesn't have: to readers in a `Warning` and, when such a name is near one
 * that it has, in the log and the metrics, each name once while it is among the last. They are never refused, because
 * clients of Forem send more than the program knows.
 */
export function createParameterWatch() {
  const noted = new LRUCache<string, true>({ max: MOST_KNOWN });
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const operation = request.routeOptions.schema?.operationId;
    if (operation === undefined) return;
    const known = (request.routeOptions.config.parameters?.query ?? []).map(({ name }) => name);
    const unknown = Object.keys(request.query as object).filter((name) => !known.includes(name));
    const warnings = unknown.slice(0, MOST_OF_REQUEST).map((name) => {
      const parameter = nearestName(name, known) ?? known.find((each) => isBeginning(each, name));
      const key = `${operation} ${name}`;
      if (parameter !== undefined && !noted.get(key)) {
        noted.set(key, true);
        request.server.metrics.noteMisspelt({ operation, parameter });
        request.log.warn(
          { operation },
          `the unknown parameter ${quote(name)} of ${operation} was ignored: perhaps ${quote(parameter)} is meant`,
        );
      }
      // Encoding removes what would end the field or its quotes.
      const shown = encodeURIComponent(name).slice(0, MOST_SHOWN);
      const advice = parameter === undefined ? "." : `: did you mean ${parameter}?`;
      return `299 inkstone "Parameter ${shown} is unknown and was ignored${advice}"`;
    });
    const isWarned = warnings.length > 0 && isRead(request) && isOfApi(request.url);
    if (isWarned) reply.header("warning", warnings.join(", "));
  };
}

/** Whether one name is short for the other, such as `q` for `query`. */
const isBeginning = (known: string, name: string) =>
  name !== "" && (known.startsWith(name) || name.startsWith(known));

/** An impossible value identifies nothing: 404. */
export function readPath(request: FastifyRequest): void {
  const known = request.routeOptions.config.parameters?.path ?? [];
  const params = request.params as Record<string, string | number>;
  if (Object.values(params).some((text) => faultIn(String(text)) !== undefined)) throw notFound();
  for (const parameter of known) {
    try {
      params[parameter.name] = readValue(parameter, String(params[parameter.name]));
    } catch {
      throw notFound();
    }
  }
}

/** Whether a route takes the request. The router takes an empty part of a path for a parameter; we don't. */
export const isRouted = ({ is404, params, url, routeOptions }: FastifyRequest): boolean =>
  !is404 && !hasEmpty(params ?? {}) && !(routeOptions.config?.isPage && isOutsideSite(url));

/** Whether a path is of the API or its document, but not of the pages that describe it. */
export const isOfApi = (path: string): boolean => /^\/api(?!\/docs(?:[/?]|$))(?:[/?]|$)/.test(path);

/** Paths of the API and of files, which pages of names and slugs would answer too. */
export const isOutsideSite = (path: string): boolean =>
  isOfApi(path) || /^\/(?:assets|static|uploads)\//.test(path);

export const hasEmpty = (params: object): boolean =>
  Object.entries(params).some(([name, value]) => name !== "*" && value === "");

/** Stands for requests that are no operation of the API. */
const OTHER = "other";

export function operationOf(request: FastifyRequest): string {
  const { operationId = OTHER } = request.routeOptions.schema ?? {};
  return isRouted(request) ? operationId : OTHER;
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export const isRead = ({ method, routeOptions }: FastifyRequest): boolean =>
  READS.has(method) || routeOptions.config?.isRead === true;
