import { isObject } from "../fields/fields.ts";
import { quote } from "../text/quote.ts";
import { countCharacters, faultIn } from "../text/valid-text.ts";

/** The supported part of JSON Schema. */
interface Shape {
  type?: string;
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

export function faultOf(shape: Shape, value: unknown, path = ""): string | undefined {
  if (!fits(shape, value)) return wrong(path, ruleOf(shape), value);
  if (typeof value === "string") return shape.enum ? undefined : faultOfText(path, shape, value);
  if (Array.isArray(value)) return faultOfArray(path, shape, value);
  return isObject(value) ? faultOfObject(path, shape, value) : undefined;
}

function fits({ type, enum: values, minimum, maximum }: Shape, value: unknown): boolean {
  if (values) return values.includes(value);
  if (type === undefined) return typeof value !== "object";
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type !== "integer" && type !== "number") return typeof value === type;
  const isNumber = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  return isNumber && Number(value) >= (minimum ?? -Infinity) && Number(value) <= (maximum ?? Infinity);
}

const RULES: Record<string, string> = {
  object: "an object",
  array: "a list",
  string: "a text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

function ruleOf({ type = "", enum: values, minimum, maximum }: Shape): string {
  if (values) return `one of ${values.join(", ")}`;
  const bounds = minimum === undefined || maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  return (RULES[type] ?? "a text, a number, or true or false") + bounds;
}

function faultOfObject(path: string, shape: Shape, value: object): string | undefined {
  const { properties = {}, required = [] } = shape;
  const prefix = path && `${path}.`;
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(properties, key));
  if (unknown !== undefined) {
    const name = /^\w{1,60}$/.test(unknown) ? unknown : quote(unknown);
    return `${prefix}${name} is not a known key; known are ${Object.keys(properties).join(", ")}`;
  }
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${prefix}${missing} is missing`;
  return firstIn(Object.entries(value).map(([key, child]) => [properties[key], child, prefix + key]));
}

function faultOfArray(path: string, { items = {}, maxItems = Infinity }: Shape, value: unknown[]) {
  if (value.length > maxItems) return `${path} must have at most ${maxItems} entries`;
  return firstIn(value.map((child, index) => [items, child, `${path}[${index}]`]));
}

function firstIn(values: [shape: Shape | undefined, value: unknown, path: string][]): string | undefined {
  for (const [shape = {}, value, path] of values) {
    const fault = faultOf(shape, value, path);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfText(path: string, shape: Shape, value: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, format } = shape;
  const fault = value.includes("\0") ? "the character NUL" : faultIn(value);
  if (fault !== undefined) return `${path} contains ${fault}: leave it out`;
  if (value.length < minLength) {
    return value === ""
      ? `${path} can't be blank`
      : `${path} is too short (minimum is ${minLength} characters)`;
  }
  if (value.length > maxLength && countCharacters(value) > maxLength) {
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

/** Any year of four digits. Date alone reads 30 February as 2 March. */
function isMoment(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/.exec(text);
  const date = new Date(`${match?.[1]}Z`);
  return match !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${match[1]}.`);
}

function wrong(path: string, rule: string, value: unknown): string {
  const sentence = `${path || "the record"} must be ${rule}`;
  return SECRETS.has(/\w+$/.exec(path)?.[0] ?? "") ? sentence : `${sentence}, not ${describe(value)}`;
}

export function describe(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === null) return "null (leave the key out)";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : JSON.stringify(value);
}
