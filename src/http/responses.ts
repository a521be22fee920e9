import { type TSchema, Type } from "typebox";
import { textOf } from "./errors.ts";
import { JSON_TYPE, VENDOR_TYPE } from "./negotiation.ts";
import { count, text } from "./schema.ts";

const ApiError = Type.Object(
  {
    error: text("The reason, as a sentence."),
    status: count("The HTTP status code."),
    detail: Type.Optional(text("More about the reason, as a sentence, if `error` is a fixed text.")),
  },
  { title: "ApiError", description: "The reason why a request failed." },
);

const FieldErrors = Type.Object(
  {
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "The faults of each attribute, by its name.",
    }),
  },
  { title: "FieldErrors", description: "The attributes whose values are invalid." },
);

interface Success {
  description: string;
  example: unknown;
  headers?: Record<string, string>;
  types?: string[];
}

export function ok(schema: TSchema, { headers = {}, types = [VENDOR_TYPE, JSON_TYPE], ...success }: Success) {
  return plain(schema, { ...success, headers: { ...headers, ...RATE_LIMIT_HEADERS }, types });
}

/** A successful answer without rate limits, as plain JSON by default. */
export function plain(schema: TSchema, { description, example, headers = {}, types = [JSON_TYPE] }: Success) {
  return {
    description,
    headers: documented({ ...headers, ...REQUEST_ID }),
    content: Object.fromEntries(types.map((type) => [type, { schema, example }])),
  };
}

function none(description: string) {
  return { type: "null", description, headers: documented({ ...RATE_LIMIT_HEADERS, ...REQUEST_ID }) };
}

const REQUEST_ID = { "X-Request-Id": "Identifies this request in the server's log." };

const RATE_LIMIT_HEADERS = {
  RateLimit:
    "The requests that are left: `r` now, and all of them in `t` seconds. Absent without limits, and where a shared cache may keep the response.",
  "RateLimit-Policy": "The limit: a burst of `q` requests, available again within `w` seconds.",
};

export const VERSION_HEADER = {
  ETag: "The version. As `If-None-Match` it gets a 304 while nothing has changed; as `If-Match` it protects a change.",
};

export const CACHE_HEADERS = {
  ...VERSION_HEADER,
  "Cache-Control":
    "`public, no-cache`: caches may store the response and must revalidate it before each use. A cache in front of the server may be told otherwise by `CDN-Cache-Control` (RFC 9213).",
  Warning:
    "Under `/api`, the unknown parameters of the query, which were ignored, with the nearest known names.",
};

const LINK_HEADER = {
  Link: "The URLs of the first, previous and next pages, where they exist (RFC 8288).",
};

const RETRY_AFTER = { "Retry-After": "Seconds to wait before the next attempt." };

interface Described {
  description: string;
  /** Default: the one text of the status. */
  example?: string;
  detail?: string;
  headers?: Record<string, string>;
}

export const CHANGED =
  "The resource has changed since the version in If-Match: read it again, repeat the change in the new version, and send its ETag.";

const REFUSALS = {
  304: { description: "The client's copy is current.", headers: CACHE_HEADERS },
  400: {
    description: "The request is malformed. `detail` says where the body stops being JSON.",
    detail: `The body isn't valid JSON: unexpected "}" at line 1, column 8.`,
  },
  401: {
    description:
      "The key is missing, unknown or expired, or lacks the permission: `detail` says which, and never whether the resource exists.",
    detail: "The API key has expired: create a new one.",
  },
  404: { description: "The resource doesn't exist, or the caller may not see it." },
  409: {
    description: "The first request with this `Idempotency-Key` is still running.",
    example: "A request with this Idempotency-Key is still running: try again in 1 second.",
    headers: RETRY_AFTER,
  },
  412: {
    description: "The resource has changed since the version in `If-Match`. `detail` says what to do.",
    detail: CHANGED,
  },
  413: {
    description:
      "The body is larger than 256 KiB, or 5 MiB where an article is written. `detail` names the limit.",
  },
  414: { description: "The URL is longer than 12 KiB." },
  415: {
    description:
      "The body isn't JSON. `detail` names the accepted type. An empty body may have any media type.",
    detail: 'The body must be JSON with Content-Type: application/json, not "text/plain".',
  },
  417: { description: "`Expect` asks for something other than `100-continue`." },
  422: {
    description: "A value is invalid. The message names it and says what is allowed.",
    example: 'per_page must be a whole number from 1 to 100, not "many"',
  },
  429: {
    description: "The rate limit is exceeded.",
    example: "Rate limit reached, try again in 30 seconds",
    headers: { ...RETRY_AFTER, ...RATE_LIMIT_HEADERS },
  },
  431: { description: "The request has more than 100 headers, or more than 16 KiB of them." },
  500: { description: "The server has an unexpected error." },
  503: {
    description: "The server can't do this now: the database is unreachable, for instance, or overloaded.",
    headers: RETRY_AFTER,
  },
} satisfies Record<number, Described>;

export type Refusal = keyof typeof REFUSALS;

export function errors(...codes: Refusal[]): Record<number, object> {
  return Object.fromEntries(codes.map((code) => [code, refusal(code)]));
}

interface More {
  /** Default: that the response contains its contents. */
  description?: string;
  headers?: Record<string, string>;
  types?: string[];
  /** The statuses of refusals that not every operation of the kind has. */
  refusals?: readonly Refusal[];
  /** Replace those of the same status. */
  responses?: Record<number, object>;
}

/** The successful response of an operation, and the refusals of its own. */
export interface Answers extends More {
  status: number;
  schema?: TSchema;
  example?: unknown;
  description: string;
}

/** `contents` go on after "The response contains". */
export function found(schema: TSchema, contents: string, example: unknown, more: More = {}): Answers {
  return { status: 200, schema, example, description: `The response contains ${contents}.`, ...more };
}

interface Listed extends More {
  empty?: string;
}

/** A page of a list. `contents` and the example are those of one item. */
export function listed(
  item: TSchema,
  contents: string,
  example: unknown,
  { empty = "past the last page", headers, refusals = [], ...more }: Listed = {},
): Answers {
  return found(Type.Array(item), `${contents}; it is an empty array ${empty}`, [example], {
    headers: { ...LINK_HEADER, ...headers },
    refusals: [422, ...refusals],
    ...more,
  });
}

export function created(
  schema: TSchema,
  contents: string,
  example: unknown,
  { headers, ...more }: More = {},
): Answers {
  const all = { Location: "The URL of the new resource.", ...headers };
  return { ...found(schema, contents, example, { headers: all, ...more }), status: 201 };
}

export const accepted: typeof found = (...answers) => ({ ...found(...answers), status: 202 });

export const emptied = (description: string): Answers => ({ status: 204, description });

/** `common` are the refusals of all such operations. */
export function responsesOf(
  { status, schema, refusals = [], responses, ...success }: Answers,
  common: readonly Refusal[],
): Record<number, object> {
  return {
    [status]: schema ? ok(schema, { example: undefined, ...success }) : none(success.description),
    ...errors(...common, ...refusals, 429, 500, 503),
    ...responses,
  };
}

export function fieldErrors(example: Record<string, string[]>): Record<number, object> {
  const schema = Type.Union([FieldErrors, ApiError]);
  return { 422: { ...refusal(422), content: { [JSON_TYPE]: { schema, example: { errors: example } } } } };
}

function refusal(code: Refusal): object {
  const { description, example: error = textOf(code), detail, headers = {} }: Described = REFUSALS[code];
  if (code === 304) return { type: "null", description, headers: documented({ ...headers, ...REQUEST_ID }) };
  return plain(ApiError, {
    description,
    example: { error, status: code, ...(detail !== undefined && { detail }) },
    headers,
  });
}

function documented(headers: Record<string, string>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { type: "string", description }]),
  );
}
