import type { FastifyRequest } from "fastify";
import { type AppError, invalid, notFound } from "../errors.ts";
import { type Parameter, readValue } from "./parameters.ts";
import { faultIn } from "./storable.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    parameters?: { query: Parameter[]; path: Parameter[] };
  }
  interface FastifyRequest {
    /** The known parameters with a value, as they were written. */
    given: Record<string, string>;
  }
}

/** Reads the known parameters of the route. Blank ones count as absent, repeated ones are refused. */
export function readQuery(request: FastifyRequest): void {
  const known = request.routeOptions.config.parameters?.query ?? [];
  const raw = request.query as Record<string, string | string[]>;
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
  request.given = given;
  request.query = values;
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
