import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { hasVersion, type Ready } from "./answers.ts";
import type { App } from "./app-type.ts";
import { type AdmitStranger, type Door, isLimited } from "./auth.ts";
import { addressReader, type TrustedProxies } from "./connections.ts";
import { mediaType } from "./forem-compat.ts";
import { COMPLETED, described } from "./logging.ts";
import { operationOf } from "./parameters.ts";
import { formFor } from "./packing.ts";
import { isRateLimitField } from "./rate-limit.ts";
import { refusalOfHead, requestId } from "./request-head.ts";

export type KeepAnswer = ReturnType<typeof keepInto>;

interface Line {
  key: string;
  type: string;
  operation: string;
  door: Door;
}

interface Keeping {
  proxies: TrustedProxies;
  admitStranger: AdmitStranger;
  closing: AbortSignal;
}

const MAX_BYTES_OF_LINES = 4 * 1024 * 1024;

/**
 * Answers a GET without a key from the cache before Fastify sees it, exactly as Fastify would. Only maps request
 * lines to cached answers. Other requests go on to Fastify: expired answers, refusals, and all while the server
 * closes.
 */
export function keepAnswers(app: App, { proxies, admitStranger, closing }: Keeping): void {
  const { cache } = app;
  const addressOf = addressReader(proxies);
  const lines = new LRUCache<string, Line>({
    maxSize: MAX_BYTES_OF_LINES,
    sizeCalculation: ({ key }, line) => 2 * (key.length + line.length) + 200,
  });

  function send(request: IncomingMessage, response: ServerResponse): boolean {
    if (closing.aborted || !isStrangersRead(request)) return false;
    const line = lines.get(lineOf(request));
    if (line === undefined) return false;
    const ready = cache.get(line.key) as Ready | undefined;
    const address = addressOf(request);
    if (ready?.head === undefined || address === undefined) return false;
    if (refusalOfHead({ raw: request }) !== undefined) return false;
    const limits = admitStranger(address, line.door);
    if (limits === undefined) return false;
    const startedAt = performance.now();
    const id = requestId(request);
    ready.onSent?.({ method: "GET", ip: address, headers: request.headers, caller: undefined });
    const fields = [...ready.head, ...limits, "x-request-id", id];
    const { "if-none-match": known, "accept-encoding": accepted } = request.headers;
    const isKnownVersion = ready.status === 200 && known !== undefined && hasVersion(known, ready.etag);
    const status = isKnownVersion ? 304 : ready.status;
    if (isKnownVersion) response.writeHead(status, fields).end();
    else {
      const { body, encoding } = formFor(ready, accepted, () => cache.resize(line.key));
      fields.push("content-type", line.type, "content-length", String(body.length));
      if (encoding !== undefined) fields.push("content-encoding", encoding);
      response.writeHead(status, fields).end(body);
    }
    response.on("finish", () => {
      const ms = performance.now() - startedAt;
      app.metrics.noteRequest({ operation: line.operation, status, seconds: ms / 1_000 });
      const { url = "" } = request;
      app.log.info({ reqId: id, ...described({ method: "GET", url }, { status, ms, address }) }, COMPLETED);
    });
    return true;
  }

  app.decorate("keepAnswer", keepInto(lines));
  const [slowly] = app.server.listeners("request") as [(...given: [IncomingMessage, ServerResponse]) => void];
  app.server.removeListener("request", slowly);
  app.server.on("request", (request, response) => {
    if (!send(request, response)) slowly(request, response);
  });
}

function keepInto(lines: LRUCache<string, Line>) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, ready }: { key: string; ready: Ready },
  ): void => {
    const { access } = request.routeOptions.config;
    if (access !== "public" && access !== "open") return;
    if (request.inPrivate || !isStrangersRead(request.raw)) return;
    ready.head ??= sharedFields(reply);
    const line = lineOf(request.raw);
    if (lines.has(line)) return;
    const type = ready.type ?? mediaType(request);
    const door = { access, isLimited: isLimited(request) };
    lines.set(line, { key, type, operation: operationOf(request), door });
  };
}

function isStrangersRead({ method, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    headers["api-key"] === undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined
  );
}

const lineOf = ({ url, headers }: IncomingMessage) => `${headers.accept ?? ""} ${url}`;

const isOwn = (name: string) => name === "x-request-id" || name === "content-type" || isRateLimitField(name);

/** Names and values in turn. */
function sharedFields(reply: FastifyReply): string[] {
  const fields = Object.entries(reply.getHeaders()).filter(([name]) => !isOwn(name));
  return fields.flatMap(([name, value]) => [name, String(value)]);
}
