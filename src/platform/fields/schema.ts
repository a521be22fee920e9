import { quote } from "../text/quote.ts";
import { countCharacters, faultIn } from "../text/valid-text.ts";
import { type Input, isObject, tooLong } from "./fields.ts";

/** The part of JSON Schema that parameters, settings and records are checked by. */
export interface Schema {
  type?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  /** The texts that the pattern allows, in words. */
  "x-rule"?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  maxItems?: number;
}

/** The fault of a value, in words that follow its name. `not` gives those that show the value. */
export type Check = (value: unknown, not: () => string) => string | undefined;

export function checkOf(schema: Schema): Check {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const fits = fitting(schema);
  const rule = ruleOf(schema);
  const isChosen = schema.enum !== undefined;
  const regExp = pattern === undefined ? undefined : new RegExp(pattern, "u");
  const textRule = schema["x-rule"] ?? `a text that matches ${pattern}`;
  const isDate = format === "date-time";
  return (value, not) => {
    if (!fits(value)) return `must be ${rule}${not()}`;
    if (typeof value !== "string" || isChosen) return undefined;
    if (value.length < minLength)
      return value === "" ? "can't be blank" : `is too short (minimum is ${minLength} characters)`;
    if (value.length > maxLength && countCharacters(value) > maxLength) return tooLong(maxLength);
    if (regExp && !regExp.test(value)) return `must be ${textRule}${not()}`;
    if (!isDate || isMoment(value)) return undefined;
    return `must be a date and time in UTC such as 2026-03-02T09:15:00Z${not()}`;
  };
}

function fitting({ type, enum: values, minimum = -Infinity, maximum = Infinity }: Schema) {
  if (values) return (value: unknown) => values.includes(value);
  if (type === undefined) return (value: unknown) => typeof value !== "object";
  if (type === "string") return (value: unknown) => typeof value === "string";
  if (type === "object") return isObject;
  if (type === "array") return Array.isArray;
  if (type !== "integer" && type !== "number") return (value: unknown) => typeof value === type;
  const isNumber = type === "integer" ? Number.isInteger : Number.isFinite;
  return (value: unknown) => isNumber(value) && Number(value) >= minimum && Number(value) <= maximum;
}

const KINDS: Record<string, string> = {
  object: "an object",
  array: "a list",
  string: "a text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

export function ruleOf({ type = "", enum: values, minimum, maximum }: Schema): string {
  if (values) return `one of ${values.join(", ")}`;
  const bounds = minimum === undefined || maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  return (KINDS[type] ?? "a text, a number, or true or false") + bounds;
}

/** Any year of four digits. Date alone reads 30 February as 2 March. */
function isMoment(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/.exec(text);
  const date = new Date(`${match?.[1]}Z`);
  return match !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${match[1]}.`);
}

/** Messages never repeat these values. */
const SECRETS = new Set(["password", "password_hash", "key", "sha256"]);

/** The first fault of an object with all its parts, as a sentence that names the place. */
export type DeepCheck = (value: unknown, path?: string) => string | undefined;

export function deepCheckOf(schema: Schema): DeepCheck {
  const check = checkOf(schema);
  const checkParts = partsCheckOf(schema);
  const isFreeText = (schema.type ?? "string") === "string" && schema.enum === undefined;
  return (value, path = "") => {
    const words =
      (isFreeText && typeof value === "string" ? unstorable(value) : undefined) ??
      check(value, () => (SECRETS.has(/\w+$/.exec(path)?.[0] ?? "") ? "" : `, not ${describe(value)}`));
    return words === undefined ? checkParts?.(value, path) : `${path || "the record"} ${words}`;
  };
}

function unstorable(text: string): string | undefined {
  const fault = text.includes("\0") ? "the character NUL" : faultIn(text);
  return fault && `contains ${fault}: leave it out`;
}

function partsCheckOf({ type, items = {}, maxItems = Infinity, properties = {}, required = [] }: Schema) {
  if (type === "array") return checkOfItems(deepCheckOf(items), maxItems);
  if (type !== "object") return undefined;
  const checks = new Map(Object.entries(properties).map(([key, part]) => [key, deepCheckOf(part)]));
  return checkOfKeys(checks, required);
}

function checkOfItems(check: DeepCheck, maxItems: number) {
  return (value: unknown, path: string) => {
    const items = value as unknown[];
    if (items.length > maxItems) return `${path} must have at most ${maxItems} entries`;
    for (const [index, item] of items.entries()) {
      const fault = check(item, `${path}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

function checkOfKeys(checks: Map<string, DeepCheck>, required: readonly string[]) {
  return (value: unknown, path: string) => {
    const record = value as Input;
    const prefix = path && `${path}.`;
    const keys = Object.keys(record);
    const unknown = keys.find((key) => !checks.has(key));
    if (unknown !== undefined) {
      const name = /^\w{1,60}$/.test(unknown) ? unknown : quote(unknown);
      return `${prefix}${name} is not a known key; known are ${[...checks.keys()].join(", ")}`;
    }
    const missing = required.find((key) => !Object.hasOwn(record, key));
    if (missing !== undefined) return `${prefix}${missing} is missing`;
    for (const key of keys) {
      const fault = checks.get(key)?.(record[key], prefix + key);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export function describe(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === null) return "null (leave the key out)";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : JSON.stringify(value);
}
