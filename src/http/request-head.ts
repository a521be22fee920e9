import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type {
  ConnectionError,
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from "fastify";
import createRouter from "find-my-way";
import type { HTTPMethod } from "find-my-way";
import type { Config } from "../platform/config.ts";
import { UNSUBSCRIBE } from "../platform/paths.ts";
import { parseUrl } from "../platform/text/urls.ts";
import { errorBody, sendMissing, sendRefusal } from "./errors.ts";
import { drain } from "./json-body.ts";
import { hasEmpty, isOfApi, isOutsideSite } from "./parameters.ts";

export type StandardHeaders = Record<string, string>;

const ONE_YEAR_SECONDS = 31_536_000;

export function standardHeaders({ baseUrl }: Pick<Config, "baseUrl">): StandardHeaders {
  const isSecure = baseUrl.startsWith("https://");
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Other hosts of the domain may lack TLS.
    ...(isSecure && { "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` }),
  };
}

/** The client's own id if it is harmless in a log. */
export function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID();
}

/** A search of 1,000 characters of four bytes each, which are encoded, has room. */
const MAX_URL_BYTES = 12 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;

/** The status of a request refused by its head, including HTTP/0.9. */
export function refusalOfHead({ raw }: Pick<FastifyRequest, "raw">): number | undefined {
  if ((raw.url ?? "").length > MAX_URL_BYTES) return 414;
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = raw;
  let bytes = 0;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index++) {
    const part = rawHeaders[index] ?? "";
    // Each part has two more bytes: `: ` or the end of the line.
    bytes += part.length + 2;
    if (index % 2 === 0 && part.length === 4 && part.toLowerCase() === "host") hosts++;
  }
  if (rawHeaders.length / 2 > MAX_HEADERS || bytes > MAX_HEADER_BYTES) return 431;
  // HTTP/1.1 requires a host. Two are refused: a proxy may have used the other one.
  const isHostMissing = hosts === 0 && httpVersionMinor === 1;
  return httpVersionMajor !== 1 || isHostMissing || hosts > 1 ? 400 : undefined;
}

export function withoutHost({ url = "/" }: Pick<IncomingMessage, "url">): string {
  return url.startsWith("/")
    ? url
    : url.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, "").replace(/^(?!\/|\*$)/, "/");
}

type ParseError = Pick<ConnectionError, "code"> & { rawPacket?: unknown };

/** Answers what isn't HTTP, or late, and closes the connection. */
export function answerBrokenRequest(standard: StandardHeaders, error: ParseError, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = statusOf(error);
  const body = errorBody(status);
  const headers = { ...headersFor(body, standard), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
}

export function answerExpectation(
  standard: StandardHeaders,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const body = errorBody(417);
  drain(request, response, () => response.writeHead(417, headersFor(body, standard)).end(body));
}

function headersFor(body: string, standard: StandardHeaders): Record<string, string | number> {
  return {
    ...standard,
    "x-request-id": randomUUID(),
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  };
}

function statusOf({ code, rawPacket }: ParseError): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code !== "HPE_HEADER_OVERFLOW") return 400;
  return Buffer.isBuffer(rawPacket) && isEndlessAddress(rawPacket.toString("latin1")) ? 414 : 431;
}

/** Whether the first line goes on behind the packet or the limit of an address. */
function isEndlessAddress(packet: string): boolean {
  const end = packet.indexOf("\n");
  return /^[A-Z-]+ \//.test(packet) && (end === -1 || end > MAX_URL_BYTES);
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const READING = ["GET", "HEAD", "OPTIONS"];

/** The routes of the server by path, which Fastify doesn't tell. */
export function createMethodTable() {
  const router = createRouter({ maxParamLength: 500 });
  return {
    add: (route: RouteOptions) => router.on(route.method as HTTPMethod, route.url, () => undefined, route),
    find: (path: string) =>
      new Map<string, RouteOptions>(
        METHODS.flatMap((method) => {
          const found = router.find(method, path);
          if (!found || hasEmpty(found.params)) return [];
          const route = found.store as RouteOptions;
          return route.config?.isPage && isOutsideSite(path) ? [] : [[method, route]];
        }),
      ),
  };
}

export type MethodTable = ReturnType<typeof createMethodTable>;

/** Answers OPTIONS, methods that a known path doesn't have, and unknown paths. */
export function answerUnrouted(
  table: MethodTable,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const routes = table.find(request.url.split("?", 1)[0] ?? "");
  const page = routes.size === 0 ? pageWithoutSlash(table, request) : undefined;
  if (page !== undefined)
    return reply.code(301).headers({ location: page, "cache-control": "no-cache" }).send();
  if (routes.size === 0 || routes.has(request.method)) return sendMissing(reply);
  reply.header("allow", [...routes.keys(), "OPTIONS"].join(", "));
  const isPublic = isCrossOrigin(routes.get("GET"));
  if (request.method === "OPTIONS") {
    if (isPublic) allowPreflight(request, reply);
    return reply.code(204).send();
  }
  if (isPublic) allowCrossOrigin(reply);
  return sendRefusal(reply, 405);
}

/** Where the page is that a reader wrote with a slash at its end. */
function pageWithoutSlash(table: MethodTable, { method, url }: FastifyRequest): string | undefined {
  const at = url.includes("?") ? url.indexOf("?") : url.length;
  const path = url.slice(0, at - 1);
  // A browser reads two slashes as another host.
  if (url[at - 1] !== "/" || !/^\/[^/\\]/.test(path)) return undefined;
  return !isOutsideSite(url) && table.find(path).get(method)?.config?.isPage
    ? path + url.slice(at)
    : undefined;
}

/** Whether pages of other sites may read the responses of a route. They show our pages and images without that. */
export function isCrossOrigin(
  route: (Pick<FastifyRequest["routeOptions"], "url"> & { config?: FastifyContextConfig }) | undefined,
): boolean {
  const { url, config } = route ?? {};
  const isPublic = config?.access === "public" || config?.access === "open";
  return isPublic && (config?.isFeed === true || isOfApi(url ?? ""));
}

const EXPOSED = "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Warning, X-Request-Id, X-Search-Match";

/** Lets pages of every site read the answer, never with credentials. */
export function allowCrossOrigin(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
  reply.header("access-control-expose-headers", EXPOSED);
}

function allowPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const method = request.headers["access-control-request-method"];
  if (method !== undefined && !READING.includes(method)) return;
  reply.headers({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": READING.join(", "),
    "access-control-allow-headers": "Accept, If-None-Match",
    "access-control-max-age": "7200",
  });
}

/**
 * Whether a request may write outside the API, where browsers send cookies by themselves: browsers tell with
 * `Sec-Fetch-Site` that a page of this site made it. Those that don't tell, and all over plain HTTP, send `Origin`.
 */
export function isOfThisSite({ method, url, headers }: FastifyRequest, baseUrl: string): boolean {
  // Mail programs send the POST of a link in an email (RFC 8058): its token alone says whose choice it is.
  if (READING.includes(method) || isOfApi(url) || url.startsWith(`${UNSUBSCRIBE}/`)) return true;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin, host } = headers;
  const from = origin === undefined ? undefined : parseUrl(origin);
  if (from === undefined) return false;
  const own = new URL(baseUrl);
  const isSecureEnough = own.protocol !== "https:" || from.protocol === "https:";
  return isSecureEnough && (from.host === host || from.host === own.host);
}
