import { createServer as createHttpServer, type ServerOptions } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify from "fastify";
import { type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from "fastify";
import type { Config } from "../platform/config.ts";
import type { Context, Services } from "../context.ts";
import { createBuckets } from "../platform/limits/buckets.ts";
import type { App } from "./app-type.ts";
import { type Authenticator, createAdmission } from "./auth.ts";
import { closingSignal, trackConnections } from "./connections.ts";
import { sendError, sendRefusal } from "./errors.ts";
import { drain, forgetTypeOfNothing, readJsonBodies, refuseUnreadBody } from "./json-body.ts";
import { keepAnswers } from "./kept-answers.ts";
import { logAnswer, loggerOptions, logsAnswers } from "./logging.ts";
import {
  createParameterWatch,
  isRouted,
  operationOf,
  parameters,
  readPath,
  readQuery,
} from "./parameters.ts";
import {
  allowCrossOrigin,
  answerBrokenRequest,
  answerExpectation,
  answerUnrouted,
  createMethodTable,
  isCrossOrigin,
  isOfThisSite,
  type MethodTable,
  refusalOfHead,
  requestId,
  type StandardHeaders,
  standardHeaders,
  withoutHost,
} from "./request-head.ts";
import { sessionCookie } from "./session-cookie.ts";

/** The limit of routes that state no larger one. */
const BODY_LIMIT_BYTES = 256 * 1024;

const HTTP_OPTIONS: ServerOptions = {
  /** More than allowed, so that a slightly longer head gets a proper answer. */
  maxHeaderSize: 32 * 1024,
  headersTimeout: 10_000,
  keepAliveTimeout: 72_000,
  /** A check once a second answers a slow sender within 30 seconds. */
  requestTimeout: 27_000,
  connectionsCheckingInterval: 1_000,
  // `refusalOfHead` refuses it, with a body.
  requireHostHeader: false,
};

export async function createServer(
  context: Context,
  services: Services,
  authenticate: Authenticator,
): Promise<App> {
  const { config } = context;
  const standard = standardHeaders(config);
  const app = createFastify(config, standard);
  decorateServer(app, context, services);
  decorateRequests(app.decorate("authenticate", authenticate));
  // Schemas describe: fields and parameters check what comes in, and views make the JSON of answers.
  app.setValidatorCompiler(() => () => true).setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler(sendError);
  app.server.on("checkExpectation", answerExpectation.bind(undefined, standard));
  const open = trackConnections(app, config);
  const buckets = createBuckets();
  app.decorate("buckets", buckets);
  const closing = closingSignal(app, open);
  const { admit, admitAnonymous } = createAdmission(context, services, { authenticate, buckets });
  keepAnswers(app, { admitAnonymous, closing });
  readJsonBodies(app);

  const table = createMethodTable();
  app.addHook("onRoute", (route) => mount(app, table, route));

  app.addHook("onRequest", async (request, reply) => {
    const refusal =
      begin(request, reply, standard) ?? (isOfThisSite(request, config.baseUrl) ? undefined : 403);
    return refusal === undefined ? undefined : sendRefusal(reply, refusal);
  });
  app.addHook("onRequest", admit);
  // A not-found handler would run after the body.
  app.addHook("onRequest", async (request, reply) => {
    return isRouted(request) ? refuseUnreadBody(request) : answerUnrouted(table, request, reply);
  });
  const watchParameters = createParameterWatch();
  app.addHook("preValidation", async (request, reply) => {
    readPath(request);
    watchParameters(request, reply);
    readQuery(request);
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (closing.aborted) reply.raw.shouldKeepAlive = false;
    // Fastify would close the connection after refusing a body.
    const isKept = reply.raw.shouldKeepAlive;
    if (isKept && reply.hasHeader("connection")) reply.header("connection", "keep-alive");
    drain(request.raw, reply.raw, done);
  });
  app.addHook("onResponse", countAnswer);
  if (logsAnswers(config)) app.addHook("onResponse", logAnswer);
  return app;
}

/** The header field of public responses for a cache in front of the server; undefined if there is none. */
function edgeControl(seconds: number): string | undefined {
  return seconds === 0 ? undefined : `public, max-age=${seconds}, stale-if-error=86400`;
}

function decorateServer(app: App, { config, db }: Context, { cache, metrics }: Services): void {
  app
    .decorate("cache", cache)
    .decorate("db", db)
    .decorate("metrics", metrics)
    .decorate("formerPage", undefined)
    .decorate("errorPage", undefined)
    .decorate("edgeControl", edgeControl(config.edgeSeconds))
    .decorate("sessionCookie", sessionCookie(config.baseUrl));
}

function decorateRequests(app: App): void {
  app
    .decorateRequest("caller", undefined)
    .decorateRequest("keyFault", "missing")
    .decorateRequest("inPrivate", false)
    .decorateRequest("lacksFactor", false)
    .decorateRequest("refused", undefined)
    .decorateRequest("giveBack", undefined)
    .decorateRequest("bodyDigest", undefined)
    .decorateRequest("given", null as never)
    .decorateRequest("warnings", null as never);
}

function createFastify(config: Config, standard: StandardHeaders): App {
  return Fastify({
    serverFactory: (listener) => createHttpServer(HTTP_OPTIONS, listener),
    logger: loggerOptions(config),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 500 },
    trustProxy: config.trustProxy.length > 0 && proxyAddr.compile(config.trustProxy),
    rewriteUrl: withoutHost,
    genReqId: requestId,
    return503OnClosing: false,
    frameworkErrors: answerFrameworkError.bind(undefined, standard),
    clientErrorHandler: answerBrokenRequest.bind(undefined, standard),
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** Answers the router's own refusals, which pass no hook. */
function answerFrameworkError(
  standard: StandardHeaders,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.raw.once("finish", () => void countAnswer(request, reply));
  const refusal = begin(request, reply, standard);
  drain(request.raw, reply.raw, () => {
    if (refusal === undefined) void sendError(error, request, reply);
    else void sendRefusal(reply, refusal);
  });
}

/** Returns a status that ends the request. */
function begin(request: FastifyRequest, reply: FastifyReply, standard: StandardHeaders): number | undefined {
  reply.headers({ ...standard, "x-request-id": request.id });
  const refusal = refusalOfHead(request);
  if (refusal !== undefined) {
    reply.raw.shouldKeepAlive = false;
    return refusal;
  }
  request.given = {};
  request.warnings = [];
  forgetTypeOfNothing(request);
  if (isRouted(request) && isCrossOrigin(request.routeOptions)) allowCrossOrigin(reply);
  return undefined;
}

async function countAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const seconds = reply.elapsedTime / 1_000;
  const operation = operationOf(request);
  request.server.metrics.noteRequest({ operation, status: reply.statusCode, seconds });
}

/** Every PUT is also a PATCH, for clients written for Forem. */
function mount(app: App, table: MethodTable, route: RouteOptions): void {
  if (route.config?.access === undefined)
    throw new Error(`${String(route.method)} ${route.url} doesn't say who may use it (config.access)`);
  const { querystring, params } = route.schema ?? {};
  route.config = {
    ...route.config,
    parameters: { query: parameters(querystring), path: parameters(params) },
  };
  table.add(route);
  if (route.method === "PUT")
    app.route({ ...route, method: "PATCH", schema: { ...route.schema, hide: true } });
}
