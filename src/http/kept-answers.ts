import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import createRouter from "find-my-way";
import { LRUCache } from "lru-cache";
import { type Asked, hasVersion, keyOf, prepareAgain, type PreparedAnswer, sizeOf } from "./answers.ts";
import type { App } from "./app-type.ts";
import { type AdmitAnonymous, isLimited, type RouteAccess } from "./auth.ts";
import { type AdmitEarly, type Admitted, createEarlyAdmission, type Exchange } from "./early-admission.ts";
import { isForemClient, mediaType } from "./forem-compat.ts";
import { COMPLETED, described } from "./logging.ts";
import { operationOf, type RawQuery, readParameters } from "./parameters.ts";
import { formFor, hasForm, packFor } from "./packing.ts";
import type { TrustedProxies } from "./proxies.ts";
import { isRateLimitField } from "./rate-limit.ts";
import { requestId } from "./request-head.ts";

export type KeepAnswer = ReturnType<typeof keepInto>;

interface KeptRequest {
  key: string;
  type: string;
  operation: string;
  route: RouteAccess;
  /** Whether a session may read another one. */
  isPage: boolean;
  /** Of unknown parameters, which are no part of the key. */
  warning?: string | undefined;
}

/** A route that can answer out of memory, as its first answer through Fastify shows it. */
interface Read {
  kept: KeptRequest;
  routeOptions: FastifyRequest["routeOptions"];
  /** The fields of all its answers: names and values in turn. */
  fields: string[];
}

interface KeepOptions {
  proxies: TrustedProxies;
  admitAnonymous: AdmitAnonymous;
  closing: AbortSignal;
  /** Fastify's listener. */
  fastifyListener: RequestListener;
}

interface Front {
  app: App;
  requests: LRUCache<string, KeptRequest>;
  reads: ReturnType<typeof createRouter>;
  admitEarly: AdmitEarly;
  fastifyListener: RequestListener;
}

const MAX_BYTES_OF_REQUESTS = 4 * 1024 * 1024;

/**
 * Answers a GET without a key before Fastify sees it, exactly as Fastify would: from the cache, to which it maps
 * request lines, or by a route that has all it needs in memory. Other requests go on to Fastify: those that need the
 * database, refusals, and all while the server closes.
 */
export function keepAnswers(
  app: App,
  { proxies, admitAnonymous, closing, fastifyListener }: KeepOptions,
): void {
  const requests = new LRUCache<string, KeptRequest>({
    maxSize: MAX_BYTES_OF_REQUESTS,
    sizeCalculation: ({ key, warning = "" }, line) => 2 * (key.length + line.length + warning.length) + 200,
  });
  const reads = createRouter();
  const admitEarly = createEarlyAdmission({ proxies, admitAnonymous });
  const front: Front = { app, requests, reads, admitEarly, fastifyListener };
  app.decorate("keepAnswer", keepInto(front));
  app.server.on("request", (request, response) => {
    const isOurs = !closing.aborted && isAnonymousRead(request);
    if (!isOurs || !(answerKept(front, request, response) || answerAtHand(front, request, response)))
      fastifyListener(request, response);
  });
}

/** Answers out of the kept responses, if it can. Returns whether it did. */
function answerKept(front: Front, request: IncomingMessage, response: ServerResponse): boolean {
  const kept = front.requests.get(lineOf(request));
  if (kept === undefined || (kept.isPage && hasSession(front.app, request))) return false;
  const ready = readyAnswer(front.app, request, kept);
  const admitted = ready && front.admitEarly(request, kept.route);
  if (ready === undefined || admitted === undefined) return false;
  send(front.app, [request, response], { kept, ready, admitted });
  return true;
}

function readyAnswer(app: App, request: IncomingMessage, { key }: KeptRequest): PreparedAnswer | undefined {
  const ready = app.cache.get(key) as PreparedAnswer | undefined;
  return ready?.head && !isPlainForEdge(app, request, ready) ? ready : undefined;
}

/** Whether a cache in front would keep the plain body, because it asks for a packed one for the first time. */
const isPlainForEdge = ({ edgeControl }: App, { headers }: IncomingMessage, ready: PreparedAnswer): boolean =>
  edgeControl !== undefined && !hasForm(ready, headers["accept-encoding"]);

/** Answers out of memory. Returns whether it does; Fastify answers after all where that needs more than memory. */
function answerAtHand(front: Front, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = "" } = request;
  const found = url.startsWith("/") ? front.reads.find("GET", url) : null;
  if (found === null) return false;
  const read = found.store as Read;
  const asked = askedOf(request, read, found.searchParams);
  if (asked === undefined) return false;
  const admitted = front.admitEarly(request, read.kept.route);
  if (admitted === undefined) return false;
  void makeAtHand(front, [request, response], { read, asked, admitted });
  return true;
}

async function makeAtHand(
  { app, requests, fastifyListener }: Front,
  [request, response]: Exchange,
  { read, asked, admitted }: { read: Read; asked: Asked<unknown>; admitted: Admitted },
): Promise<void> {
  const moment = app.cache.moment();
  const made = await read.routeOptions.config.atHand?.(asked as Asked<never>).catch(() => undefined);
  if (made === undefined) {
    admitted.giveBack();
    return fastifyListener(request, response);
  }
  const key = keyOf(asked);
  const prepare = (previous: PreparedAnswer | undefined) =>
    prepareAgain(made, isForemClient(asked), previous);
  const ready = app.cache.put(key, prepare, { moment, sizeOf });
  ready.head = [...read.fields, "etag", ready.etag, ...Object.entries(ready.headers).flat()];
  const type = ready.type ?? mediaType({ ...asked, routeOptions: read.routeOptions });
  const kept = { ...read.kept, key, type };
  requests.set(lineOf(request), kept);
  if (app.edgeControl !== undefined)
    await packFor(ready, request.headers["accept-encoding"], () => app.cache.resize(key));
  send(app, [request, response], { kept, ready, admitted });
}

function send(
  app: App,
  [request, response]: Exchange,
  { kept, ready, admitted }: { kept: KeptRequest; ready: PreparedAnswer; admitted: Admitted },
): void {
  const { fields: limits, address, startedAt } = admitted;
  const id = requestId(request);
  ready.onSent?.({ method: "GET", ip: address, headers: request.headers, caller: undefined });
  const own = app.edgeControl === undefined ? limits : [];
  const warning = kept.warning ? ["warning", kept.warning] : [];
  const fields = [...(ready.head ?? []), ...warning, ...own, "x-request-id", id];
  const { "if-none-match": known, "accept-encoding": accepted } = request.headers;
  const isKnownVersion = ready.status === 200 && known !== undefined && hasVersion(known, ready.etag);
  const status = isKnownVersion ? 304 : ready.status;
  if (isKnownVersion) response.writeHead(status, fields).end();
  else {
    const { body, encoding } = formFor(ready, accepted, () => app.cache.resize(kept.key));
    fields.push("content-type", kept.type, "content-length", String(body.length));
    if (encoding !== undefined) fields.push("content-encoding", encoding);
    response.writeHead(status, fields).end(body);
  }
  response.on("finish", () => {
    const ms = performance.now() - startedAt;
    app.metrics.noteRequest({ operation: kept.operation, status, seconds: ms / 1_000 });
    const { url = "" } = request;
    app.log.info({ reqId: id, ...described({ method: "GET", url }, { status, ms, address }) }, COMPLETED);
  });
}

function keepInto({ requests, reads }: Front) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, ready }: { key: string; ready: PreparedAnswer },
  ): void => {
    const { routeOptions } = request;
    const { access, atHand } = routeOptions.config;
    if (access !== "public" && access !== "open") return;
    if (request.inPrivate || !isAnonymousRead(request.raw)) return;
    ready.head ??= sharedFields(reply);
    const name = lineOf(request.raw);
    if (requests.has(name)) return;
    const type = ready.type ?? mediaType(request);
    const route = { access, isLimited: isLimited(request) };
    const isPage = routeOptions.config.isPage === true;
    const kept = { key, type, operation: operationOf(request), route, isPage };
    requests.set(name, { ...kept, warning: reply.getHeader("warning") as string | undefined });
    const path = routeOptions.url ?? "";
    if (atHand === undefined || reads.hasRoute("GET", path)) return;
    const fields = sharedFields(reply, [...Object.keys(ready.headers), "etag"]);
    reads.on("GET", path, () => undefined, { kept, routeOptions, fields } satisfies Read);
  };
}

/** The parts of a request that its answer is made from; undefined if Fastify's hooks refuse or note the request. */
function askedOf(
  { url = "", headers }: IncomingMessage,
  { routeOptions }: Read,
  raw: RawQuery,
): Asked<unknown> | undefined {
  const known = routeOptions.config.parameters?.query ?? [];
  if (Object.keys(raw).some((name) => !known.some((parameter) => parameter.name === name))) return undefined;
  try {
    return { url, headers, ...readParameters(known, raw) };
  } catch {
    return undefined;
  }
}

const hasSession = ({ sessionCookie }: App, { headers }: IncomingMessage): boolean =>
  sessionCookie.tokenIn(headers) !== undefined;

function isAnonymousRead({ method, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    headers["api-key"] === undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined
  );
}

const lineOf = ({ url, headers }: IncomingMessage) => `${headers.accept ?? ""} ${url}`;

const OWN = ["x-request-id", "content-type", "warning"];
const isOwn = (name: string) => OWN.includes(name) || isRateLimitField(name);

/** Names and values in turn. */
function sharedFields(reply: FastifyReply, except: string[] = []): string[] {
  const fields = Object.entries(reply.getHeaders()).filter(
    ([name]) => !isOwn(name) && !except.includes(name),
  );
  return fields.flatMap(([name, value]) => [name, String(value)]);
}
