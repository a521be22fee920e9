import type { FastifyRequest } from "fastify";
import { type AppError, invalid, notFound } from "../errors.ts";
import { quote } from "../text/quote.ts";
import { countCharacters, faultIn } from "../text/valid-text.ts";

export interface Parameter {
  name: string;
  isRequired: boolean;
  schema: ParameterSchema;
}

interface ParameterSchema {
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** The allowed values, in words. */
  "x-rule"?: string;
  /** Whether also a text that can't be stored is taken: it is the name of nothing, or separates words. */
  "x-any-text"?: boolean;
  /** The message for a missing value, in place of the usual one. */
  "x-missing"?: string;
  enum?: string[];
  default?: string | number;
}

interface ObjectSchema {
  properties?: Record<string, ParameterSchema>;
  required?: string[];
}

/** Keywords of parameter schemas that only this program reads. */
export const PARAMETER_KEYWORDS = ["x-rule", "x-any-text", "x-missing", "x-described-as"];

export function parameters(schema: unknown): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, schema]) => {
    const isText = schema.type === "string" || Array.isArray(schema.enum);
    if (!isText && schema.type !== "integer")
      throw new Error(`Nothing reads the parameter ${name}: ${schema.type}`);
    if (schema.pattern !== undefined && schema["x-rule"] === undefined) {
      throw new Error(`The parameter ${name} has a pattern, so it needs an x-rule that says it in words`);
    }
    return { name, schema, isRequired: required.includes(name) && schema.default === undefined };
  });
}

function readValue({ name, schema }: Parameter, text: string): string | number {
  return schema.type === "integer" ? readInteger(name, schema, text) : readText(name, schema, text);
}

const INTEGER = /^(0|[1-9][0-9]{0,9})$/;

function readInteger(name: string, schema: ParameterSchema, text: string): number {
  const { minimum = 0, maximum = 2_147_483_647 } = schema;
  const value = INTEGER.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return value;
  throw mustBe(name, `a whole number from ${minimum} to ${maximum}`, text);
}

function readText(name: string, schema: ParameterSchema, text: string): string {
  const { maxLength, pattern, enum: choices } = schema;
  const fault = schema["x-any-text"] ? undefined : faultIn(text);
  if (fault !== undefined) throw invalid(`${name} contains ${fault}: leave it out`);
  if (choices !== undefined && !choices.includes(text))
    throw mustBe(name, `one of ${choices.join(", ")}`, text);
  if (maxLength !== undefined && text.length > maxLength && countCharacters(text) > maxLength) {
    throw invalid(`${name} is too long (maximum is ${maxLength} characters)`);
  }
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text))
    throw mustBe(name, schema["x-rule"] ?? "", text);
  return text;
}

function mustBe(name: string, rule: string, text: string): AppError {
  return invalid(`${name} must be ${rule}, not ${quote(text)}`);
}

export type RawQuery = Record<string, string | string[]>;

/** Reads the known parameters of the route. */
export function readQuery(request: FastifyRequest): void {
  const known = request.routeOptions.config.parameters?.query ?? [];
  ({ given: request.given, query: request.query } = readParameters(known, request.query as RawQuery));
}

/** Blank ones count as absent, repeated ones are refused. */
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
  if (missing !== undefined) throw isMissing(missing);
  return { given, query: values };
}

function single(name: string, value: string | string[] | undefined): string | undefined {
  if (Array.isArray(value)) throw invalid(`${name} must be given once, not ${value.length} times`);
  return value === undefined || value.trim() === "" ? undefined : value;
}

function isMissing({ name, schema }: Parameter): AppError {
  return invalid(schema["x-missing"] ?? `${name} is missing: add it to the query`);
}

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

/** Of the API and its document, but not of the pages that describe it. */
export const isOfApi = (path: string): boolean => /^\/api(?!\/docs(?:[/?]|$))(?:[/?]|$)/.test(path);

/** Paths of the API and of files, which pages of names and slugs would answer too. */
export const isOutsideSite = (path: string): boolean =>
  isOfApi(path) || /^\/(?:assets|static|uploads)\//.test(path);

export const hasEmpty = (params: object): boolean =>
  Object.entries(params).some(([name, value]) => name !== "*" && value === "");

/** All that is no operation of the API. */
const OTHER = "other";

export function operationOf(request: FastifyRequest): string {
  const { operationId = OTHER } = request.routeOptions.schema ?? {};
  return isRouted(request) ? operationId : OTHER;
}
