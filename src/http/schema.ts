import { type TSchema, Type } from "typebox";
import { JSON_TYPE, VENDOR_TYPE } from "./media-type.ts";

export const Url = Type.String({ format: "uri" });
export const Timestamp = Type.String({ format: "date-time" });
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The largest number that PostgreSQL keeps in an `int`. */
const MAX_INT = 2_147_483_647;

const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "What is wrong, in words." }),
    status: Type.Integer({ description: "The HTTP status." }),
  },
  { title: "Error", description: "A refusal." },
);

const FieldErrors = Type.Object(
  {
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "What is wrong, by the names of the attributes.",
    }),
  },
  { title: "FieldErrors", description: "A refusal of attributes." },
);

/** The page of a search: counted from 0, as the published interface says. */
export const searchPage = {
  page: Type.Integer({
    minimum: 0,
    maximum: MAX_INT,
    default: 0,
    description: "The page, counted from 0.",
  }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 60, description: "Items per page." }),
};

/** The page of every other list: counted from 1. */
export function listPage(items: { default: number; max: number }) {
  return {
    page: Type.Integer({
      minimum: 1,
      maximum: MAX_INT,
      default: 1,
      description: "The page, counted from 1.",
    }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: items.max,
      default: items.default,
      description: "Items per page.",
    }),
  };
}

/** A path parameter that is an id; whatever isn't one names nothing, so it is a 404. */
export function idParameter(description: string) {
  return Type.Integer({ minimum: 0, maximum: MAX_INT, description });
}

interface Success {
  description: string;
  /** A body that matches the schema. */
  example: unknown;
  /** Headers beyond those that every answer has, each with what it says. */
  headers?: Record<string, string>;
}

/** The `response` entry of a successful answer with a body. */
export function ok(schema: TSchema, { description, example, headers = {} }: Success) {
  const body = { schema, example };
  return {
    description,
    headers: documented({ ...headers, ...RATE_LIMIT_HEADERS, ...REQUEST_ID }),
    content: { [VENDOR_TYPE]: body, [JSON_TYPE]: body },
  };
}

/** The same for what is plain JSON whatever the client asks for, and costs nothing. */
export function plain(schema: TSchema, { description, example, headers = {} }: Success) {
  return {
    description,
    headers: documented({ ...headers, ...REQUEST_ID }),
    content: { [JSON_TYPE]: { schema, example } },
  };
}

/** The same for what is no JSON but text. */
export function text(schema: TSchema, { description, example }: Success) {
  return { description, headers: documented(REQUEST_ID), content: { "text/plain": { schema, example } } };
}

/** The same for a success without a body. */
export function none(description: string) {
  return { type: "null", description, headers: documented({ ...RATE_LIMIT_HEADERS, ...REQUEST_ID }) };
}

const REQUEST_ID = { "X-Request-Id": "Names this request in the server's log." };

const RATE_LIMIT_HEADERS = {
  RateLimit: "What is left: `r` requests, all of them again in `t` seconds. Absent when limits are off.",
  "RateLimit-Policy": "What is allowed: `q` requests at once, regained within `w` seconds.",
};

export const CACHE_HEADERS = {
  ETag: "The version of the answer, to be sent as `If-None-Match`.",
  "Cache-Control": "`public, no-cache`: keep it, but ask each time whether it is still true.",
};

export const LINK_HEADER = {
  Link: "Where the first, previous and next page are (RFC 8288), as they exist.",
};

const RETRY_AFTER = { "Retry-After": "Seconds to wait." };

const REFUSALS = {
  304: { description: "What the client has is still true.", headers: CACHE_HEADERS },
  400: { description: "The request isn't well-formed.", example: "bad request" },
  401: { description: "No key, a wrong one, or one that may not do this.", example: "unauthorized" },
  404: { description: "There is no such thing, or the caller may not see it.", example: "not found" },
  409: {
    description: "The first request with this Idempotency-Key is still running.",
    example: "A request with this Idempotency-Key is still running: try again in 1 second.",
    headers: RETRY_AFTER,
  },
  412: { description: "It has changed since the version named in If-Match.", example: "precondition failed" },
  413: { description: "The body is larger than 5 MiB.", example: "payload too large" },
  414: { description: "The address is longer than 8 KiB.", example: "uri too long" },
  415: {
    description: "The body isn't JSON. A body without bytes is none, whatever its type.",
    example: "unsupported media type",
  },
  417: {
    description: "`Expect` asks for something other than `100-continue`.",
    example: "expectation failed",
  },
  422: {
    description: "Something given isn't what it must be; the sentence says what and how to mend it.",
    example: 'per_page must be a whole number from 1 to 100, not "many"',
  },
  429: {
    description: "Too many requests.",
    example: "Rate limit reached, try again in 30 seconds",
    headers: { ...RETRY_AFTER, ...RATE_LIMIT_HEADERS },
  },
  431: {
    description: "More than 100 headers, or more than 16 KiB of them.",
    example: "request header fields too large",
  },
  500: { description: "A fault of the server.", example: "internal server error" },
  503: {
    description: "The database can't be reached, or is too busy.",
    example: "service unavailable",
    headers: RETRY_AFTER,
  },
} satisfies Record<number, { description: string; example?: string; headers?: Record<string, string> }>;

export type Refusal = keyof typeof REFUSALS;

/** The `response` entries of everything else that an operation can answer. */
export function errors(...codes: Refusal[]): Record<number, object> {
  return Object.fromEntries(codes.map((code) => [code, refusal(code)]));
}

/** The 422 of operations that say of each field what is wrong with it. */
export function fieldErrors(example: Record<string, string[]>): Record<number, object> {
  const schema = Type.Union([FieldErrors, ErrorBody]);
  return { 422: { ...refusal(422), content: { [JSON_TYPE]: { schema, example: { errors: example } } } } };
}

function refusal(code: Refusal): object {
  const {
    description,
    ...rest
  }: { description: string; example?: string; headers?: Record<string, string> } = REFUSALS[code];
  const headers = documented({ ...rest.headers, ...REQUEST_ID });
  if (rest.example === undefined) return { type: "null", description, headers };
  const body = { schema: ErrorBody, example: { error: rest.example, status: code } };
  return { description, headers, content: { [JSON_TYPE]: body } };
}

function documented(headers: Record<string, string>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { type: "string", description }]),
  );
}
