import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { failureCode, isStarting, isStorageFailure, isUnavailable } from "../platform/db/failures.ts";
import { AppError, type ErrorCode, FieldsError, unavailable } from "../platform/errors.ts";
import { signInPath, TWO_FACTOR_PAGE } from "../platform/paths.ts";
import { isOfApi, isOutsideSite } from "./parameters.ts";
import { tellPolicy } from "./rate-limit.ts";

/** Writes the page that a person sees instead of an error's JSON. */
export type ErrorPage = (
  status: number,
  about: {
    sentence: string | undefined;
    retryAfterSeconds: number;
    path: string;
    request: FastifyRequest;
    /** The fields of a form that is sent again once its reader has signed in. */
    fields?: Readonly<Record<string, string>> | undefined;
  },
) => Promise<{ headers: Record<string, string>; body: string }>;

export type FormerPage = (path: string) => Promise<string | undefined>;

export const STATUS: Record<ErrorCode, number> = {
  malformed: 400,
  unauthorized: 401,
  not_found: 404,
  busy: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
};

/** The contract's texts, whatever a version of Node calls them. Other statuses have sentences of their own. */
const TEXTS: Record<number, string> = {
  400: "bad request",
  401: "unauthorized",
  403: "forbidden",
  404: "not found",
  405: "method not allowed",
  408: "request timeout",
  410: "gone",
  412: "precondition failed",
  413: "payload too large",
  414: "uri too long",
  415: "unsupported media type",
  417: "expectation failed",
  431: "request header fields too large",
  500: "internal server error",
  503: "service unavailable",
};

export const textOf = (status: number): string | undefined => TEXTS[status];

interface Verdict {
  status: number;
  sentence: string;
  retryAfterSeconds?: number | undefined;
  isBug?: boolean;
}

/** A sentence about a status with a text of its own is its detail. */
export function errorBody(status: number, sentence?: string): string {
  const error = textOf(status) ?? (sentence || "bad request");
  const detail = sentence === error ? undefined : sentence || undefined;
  return JSON.stringify({ error, status, detail });
}

/** The one place where a thrown error becomes an answer. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const {
    status,
    sentence,
    retryAfterSeconds,
    isBug = false,
  } = judge(isTooLarge(error) ? tooLarge(request.routeOptions.bodyLimit) : error);
  if (isBug) {
    request.server.metrics.noteUnexpectedError();
    request.log.error({ err: error }, "unexpected error");
  }
  // The logged answers are enough while a database starts.
  const level = isStarting(error) ? "debug" : "warn";
  if (status === 503) request.log[level](`unavailable: ${String(reasonOf(error))}`);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  if (error instanceof AppError && error.policy) tellPolicy(reply, error.policy);
  if (error instanceof FieldsError && request.routeOptions.config.fieldErrors) {
    return sendText(reply, status, JSON.stringify({ errors: error.fields }));
  }
  return status === 404 ? sendMissing(reply, sentence) : sendRefusal(reply, status, sentence);
}

/** Sends readers of a page that has moved to its new address. */
export async function sendMissing(reply: FastifyReply, sentence?: string): Promise<FastifyReply> {
  const { method, url, server } = reply.request;
  const [path = "", query] = url.split(/\?(.*)/s);
  const current = isRead(method) && !isOutsideSite(url) ? await server.formerPage?.(path) : undefined;
  if (current === undefined) return sendRefusal(reply, 404, sentence);
  const location = query === undefined ? current : `${current}?${query}`;
  return reply.code(301).headers({ location, "cache-control": "no-cache" }).send();
}

const ERROR_TYPE = "application/json; charset=utf-8";

function reasonOf(error: unknown): unknown {
  return error instanceof AppError ? (error.cause ?? error) : error;
}

export async function sendRefusal(
  reply: FastifyReply,
  status: number,
  sentence?: string,
  fields?: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const { request } = reply;
  if (status === 401 && request.lacksFactor) return leadTo(reply, TWO_FACTOR_PAGE);
  const page = isForPeople(request) ? request.server.errorPage : undefined;
  if (page === undefined) return sendText(reply, status, errorBody(status, sentence));
  const [path = ""] = request.url.split("?");
  if (status === 401 && mayBeRead(request)) return leadTo(reply, signInPath(request.url));
  const retryAfterSeconds = Number(reply.getHeader("retry-after") ?? 0);
  const { headers, body } = await page(status, { sentence, retryAfterSeconds, path, request, fields });
  return sendText(reply, status, body, headers);
}

/** A page that a reader comes back to when they have signed in. */
const mayBeRead = ({ method, headers, routeOptions }: FastifyRequest): boolean =>
  isRead(method) && routeOptions.config?.isPage === true && headers["api-key"] === undefined;

const isRead = (method: string) => method === "GET" || method === "HEAD";

function leadTo(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ location, "cache-control": "private, no-store" }).send();
}

/** An address outside the API that a browser asks for, or a page that a program doesn't want as JSON. */
function isForPeople({ routeOptions, headers: { accept = "" }, url }: FastifyRequest): boolean {
  if (isOfApi(url)) return false;
  if (accept.includes("text/html")) return true;
  return routeOptions.config?.isPage === true && !accept.includes("json");
}

function sendText(
  reply: FastifyReply,
  status: number,
  body: string,
  headers: Record<string, string> = { "content-type": ERROR_TYPE },
): FastifyReply {
  return reply
    .code(status)
    .removeHeader("etag")
    .removeHeader("cdn-cache-control")
    .headers({ "cache-control": "no-store", ...headers })
    .send(body);
}

export function tooLarge(limit: number, what = "body"): AppError {
  const kib = Math.floor(limit / 1024);
  const size = kib < 1024 ? `${kib} KiB` : `${Math.floor(kib / 1024)} MiB`;
  const sentence = `The ${what} is larger than ${size}, the most that is allowed here: send a smaller one`;
  return new AppError("too_large", sentence);
}

/** Whether Fastify refuses a body above the limit of its route. */
export const isTooLarge = (error: unknown): boolean =>
  (error as Partial<FastifyError> | null)?.code === "FST_ERR_CTP_BODY_TOO_LARGE";

function judge(error: unknown): Verdict {
  if (error instanceof AppError) {
    const { code, message, retryAfterSeconds } = error;
    return { status: STATUS[code], sentence: message, retryAfterSeconds };
  }
  if (isUnavailable(error) || isStorageFailure(error)) return judge(unavailable(error));
  if (/^(22|23|54)/.test(failureCode(error))) {
    return { status: 422, sentence: "Something in the request can't be stored.", isBug: true };
  }
  const status = frameworkStatus(error);
  if (status === undefined) return { status: 500, sentence: "", isBug: true };
  return { status, sentence: status === 415 ? NO_MEDIA_TYPE : "" };
}

/** Fastify refuses what isn't a media type before a parser can say which one it takes. */
const NO_MEDIA_TYPE =
  "Content-Type isn't a media type, such as application/json or multipart/form-data: send that of the body.";

/** A path that can't be decoded names nothing. */
function frameworkStatus(error: unknown): number | undefined {
  const { code = "", statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (code === "FST_ERR_BAD_URL" || code === "FST_ERR_MAX_PARAM_LENGTH") return 404;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  return textOf(statusCode) === undefined ? 400 : statusCode;
}
