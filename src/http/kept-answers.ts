import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type Asked, hasVersion, keyOf, prepareAgain, type PreparedAnswer, sizeOf } from "./answers.ts";
import type { App } from "./app-type.ts";
import { type AdmitAnonymous, isLimited, type RouteAccess } from "./auth.ts";
import { formFor, hasForm, isForemClient, mediaType, packFor } from "./negotiation.ts";
import { isRouted, type RawQuery, readParameters } from "./parameters.ts";
import { type Charge, isRateLimitField } from "./rate-limit.ts";
import { refusalOfHead } from "./request-head.ts";

export type KeepAnswer = ReturnType<typeof keepInto>;

interface KeptRequest {
  key: string;
  type: string;
  route: RouteAccess;
  /** Whether a session may read another one. */
  isPage: boolean;
  /** Names unknown parameters, which are no part of the key. */
  warning?: string | undefined;
}

/** A route that can answer out of memory, as its first answer through all hooks shows it. */
interface Read {
  kept: KeptRequest;
  /** The fields of all its answers: names and values in turn. */
  fields: string[];
}

interface Front {
  app: App;
  requests: LRUCache<string, KeptRequest>;
  reads: Map<string, Read>;
  admitAnonymous: AdmitAnonymous;
}

type Exchange = [request: FastifyRequest, reply: FastifyReply];

const MAX_BYTES_OF_REQUESTS = 4 * 1024 * 1024;

/**
 * Answers a GET without a key in the first hook, exactly as the others and its handler would: from the cache, to which
 * it maps request lines, or by a route that has all it needs in memory. Other requests go on: those that need the
 * database, refusals, and all while the server closes.
 */
export function keepAnswers(
  app: App,
  { admitAnonymous, closing }: { admitAnonymous: AdmitAnonymous; closing: AbortSignal },
): void {
  const requests = new LRUCache<string, KeptRequest>({
    maxSize: MAX_BYTES_OF_REQUESTS,
    sizeCalculation: ({ key, warning = "" }, line) => 2 * (key.length + line.length + warning.length) + 200,
  });
  const front: Front = { app, requests, reads: new Map(), admitAnonymous };
  app.decorate("keepAnswer", keepInto(front));
  app.addHook("onRequest", (request, reply, done) => {
    const isOurs = !closing.aborted && isAnonymousRead(request.raw) && refusalOfHead(request) === undefined;
    if (!isOurs || !(answerKept(front, [request, reply]) || answerAtHand(front, [request, reply], done)))
      done();
  });
}

function answerKept({ app, requests, admitAnonymous }: Front, [request, reply]: Exchange): boolean {
  const kept = requests.get(lineOf(request.raw));
  if (kept === undefined || (kept.isPage && app.sessionCookie.tokenIn(request.headers) !== undefined))
    return false;
  const ready = readyAnswer(app, request.raw, kept);
  const charge = ready && admitAnonymous(request.ip, kept.route);
  if (ready === undefined || charge === undefined) return false;
  send(app, [request, reply], { kept, ready, charge });
  return true;
}

function readyAnswer(app: App, request: IncomingMessage, { key }: KeptRequest): PreparedAnswer | undefined {
  const ready = app.cache.get(key) as PreparedAnswer | undefined;
  return ready?.head && !isPlainForEdge(app, request, ready) ? ready : undefined;
}

/** Whether a cache in front would keep the plain body, because it asks for a packed one for the first time. */
const isPlainForEdge = ({ edgeControl }: App, { headers }: IncomingMessage, ready: PreparedAnswer): boolean =>
  edgeControl !== undefined && !hasForm(ready, headers["accept-encoding"]);

/** Answers out of memory. Returns whether it does; the other hooks follow after all where that needs more than memory. */
function answerAtHand(front: Front, [request, reply]: Exchange, done: () => void): boolean {
  const read = isRouted(request) ? front.reads.get(request.routeOptions.url ?? "") : undefined;
  const asked = read && askedOf(request);
  const charge = asked && front.admitAnonymous(request.ip, read.kept.route);
  if (charge === undefined) return false;
  void makeAtHand(front, [request, reply], {
    read: read as Read,
    asked: asked as Asked<unknown>,
    charge,
    done,
  }).catch((error: unknown) => void (reply.sent || reply.send(error)));
  return true;
}

interface AtHand {
  read: Read;
  asked: Asked<unknown>;
  charge: Charge;
  done: () => void;
}

async function makeAtHand(
  { app, requests }: Front,
  [request, reply]: Exchange,
  { read, asked, charge, done }: AtHand,
): Promise<void> {
  const moment = app.cache.moment();
  const { routeOptions } = request;
  const made = await routeOptions.config.atHand?.(asked as Asked<never>).catch(() => undefined);
  if (made === undefined) {
    charge.giveBack();
    return done();
  }
  const key = keyOf(asked);
  const prepare = (previous: PreparedAnswer | undefined) =>
    prepareAgain(made, isForemClient(asked), previous);
  const ready = app.cache.put(key, prepare, { moment, sizeOf });
  ready.head = [...read.fields, "etag", ready.etag, ...Object.entries(ready.headers).flat()];
  const kept = { ...read.kept, key, type: ready.type ?? mediaType({ ...asked, routeOptions }) };
  requests.set(lineOf(request.raw), kept);
  if (app.edgeControl !== undefined)
    await packFor(ready, request.headers["accept-encoding"], () => app.cache.resize(key));
  send(app, [request, reply], { kept, ready, charge });
}

function send(
  app: App,
  [request, reply]: Exchange,
  { kept, ready, charge }: { kept: KeptRequest; ready: PreparedAnswer; charge: Charge },
): void {
  const { raw: response } = reply.hijack();
  ready.onSent?.({ method: "GET", ip: request.ip, headers: request.headers, caller: undefined });
  const own = app.edgeControl === undefined ? charge.fields : [];
  const warning = kept.warning ? ["warning", kept.warning] : [];
  const fields = [...(ready.head ?? []), ...warning, ...own, "x-request-id", request.id];
  const { "if-none-match": known, "accept-encoding": accepted } = request.headers;
  const isKnownVersion = ready.status === 200 && known !== undefined && hasVersion(known, ready.etag);
  if (isKnownVersion) response.writeHead(304, fields).end();
  else {
    const { body, encoding } = formFor(ready, accepted, () => app.cache.resize(kept.key));
    fields.push("content-type", kept.type, "content-length", String(body.length));
    if (encoding !== undefined) fields.push("content-encoding", encoding);
    response.writeHead(ready.status, fields).end(body);
  }
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
    const kept = { key, type, route, isPage: routeOptions.config.isPage === true };
    requests.set(name, { ...kept, warning: reply.getHeader("warning") as string | undefined });
    const path = routeOptions.url ?? "";
    if (atHand !== undefined && !reads.has(path))
      reads.set(path, { kept, fields: sharedFields(reply, [...Object.keys(ready.headers), "etag"]) });
  };
}

/** The parts of a request that its answer is made from; undefined if other hooks refuse or note the request. */
function askedOf({ url, headers, routeOptions, query }: FastifyRequest): Asked<unknown> | undefined {
  const known = routeOptions.config.parameters?.query ?? [];
  const raw = query as RawQuery;
  if (Object.keys(raw).some((name) => !known.some((parameter) => parameter.name === name))) return undefined;
  try {
    return { url, headers, ...readParameters(known, raw) };
  } catch {
    return undefined;
  }
}

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

function sharedFields(reply: FastifyReply, except: string[] = []): string[] {
  const fields = Object.entries(reply.getHeaders()).filter(
    ([name]) => !isOwn(name) && !except.includes(name),
  );
  return fields.flatMap(([name, value]) => [name, String(value)]);
}
