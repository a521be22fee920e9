import type { TSchema } from "typebox";
import { describe, quoteKey } from "./quote.ts";

/** The supported part of JSON Schema. */
interface Shape {
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  enum?: readonly unknown[];
  description?: string;
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Messages never repeat these values. */
const SECRETS = new Set(["password", "password_hash", "key", "sha256"]);

/** The first fault, in words. */
export function faultOf(schema: TSchema, value: unknown): string | undefined {
  return faultAt("", schema, value);
}

function faultAt(path: string, shape: Shape, value: unknown): string | undefined {
  if (shape.enum)
    return shape.enum.includes(value) ? undefined : wrong(path, `one of ${shape.enum.join(", ")}`, value);
  switch (shape.type) {
    case "object":
      return faultOfObject(path, shape, value);
    case "array":
      return faultOfArray(path, shape, value);
    case "string":
      return typeof value === "string" ? faultOfText(path, shape, value) : wrong(path, "a text", value);
    case "integer":
      return faultOfInteger(path, shape, value);
    case "number":
      return faultOfNumber(path, shape, value);
    case "boolean":
      return typeof value === "boolean" ? undefined : wrong(path, "true or false", value);
    case undefined:
      break;
  }
  return faultOfScalar(path, value);
}

function faultOfObject(path: string, shape: Shape, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong(path, "an object", value);
  const properties = shape.properties ?? {};
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(properties, key));
  if (unknown !== undefined) {
    return `${path}${quoteKey(unknown)} is not a known key; known are ${Object.keys(properties).join(", ")}`;
  }
  const missing = shape.required?.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${path}${missing} is missing`;
  for (const [key, child] of Object.entries(value)) {
    const fault = faultAt(path + key, properties[key] ?? {}, child);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfArray(path: string, { items = {}, maxItems }: Shape, value: unknown): string | undefined {
  if (!Array.isArray(value)) return wrong(path, "a list", value);
  if (maxItems !== undefined && value.length > maxItems)
    return `${path} must have at most ${maxItems} entries`;
  for (const [index, child] of value.entries()) {
    const fault = faultAt(items.type === "object" ? `${path}[${index}].` : `${path}[${index}]`, items, child);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfText(path: string, shape: Shape, value: string): string | undefined {
  if (value.includes("\0")) return `${path} contains the character NUL: leave it out`;
  if (/\p{Surrogate}/u.test(value)) return `${path} contains half of a surrogate pair: leave it out`;
  const { minLength = 0, maxLength = Infinity, pattern, format } = shape;
  if (value.length < minLength)
    return value === ""
      ? `${path} can't be blank`
      : `${path} is too short (minimum is ${minLength} characters)`;
  if (value.length > maxLength && Array.from(value).length > maxLength) {
    return `${path} is too long (maximum is ${maxLength} characters)`;
  }
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    return wrong(path, shape.description ?? `a text that matches ${pattern}`, value);
  }
  if (format === "date-time" && !isMoment(value)) {
    return wrong(path, "a date and time in UTC such as 2026-03-02T09:15:00Z", value);
  }
  return undefined;
}

function faultOfInteger(path: string, shape: Shape, value: unknown): string | undefined {
  if (Number.isInteger(value) && isWithin(shape, value)) return undefined;
  return wrong(path, `a whole number${boundsOf(shape)}`, value);
}

function faultOfNumber(path: string, shape: Shape, value: unknown): string | undefined {
  if (Number.isFinite(value) && isWithin(shape, value)) return undefined;
  return wrong(path, `a number${boundsOf(shape)}`, value);
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: Shape, value: unknown): boolean {
  return Number(value) >= minimum && Number(value) <= maximum;
}

function boundsOf({ minimum, maximum }: Shape): string {
  return minimum === undefined || maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
}

function faultOfScalar(path: string, value: unknown): string | undefined {
  if (typeof value === "string") return faultOfText(path, {}, value);
  return typeof value === "object" ? wrong(path, "a text, a number, or true or false", value) : undefined;
}

/** Date alone reads 30 February as 2 March. */
function isMoment(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/.exec(text);
  const date = new Date(`${match?.[1]}Z`);
  return match !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${match[1]}.`);
}

function wrong(path: string, rule: string, value: unknown): string {
  const name = /\w+$/.exec(path)?.[0] ?? "";
  const subject = path === "" ? "the record" : path.replace(/\.$/, "");
  return SECRETS.has(name)
    ? `${subject} must be ${rule}`
    : `${subject} must be ${rule}, not ${describe(value)}`;
}
