import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { AppError, invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import { faultIn } from "../text/valid-text.ts";
import type { App } from "./app-type.ts";
import { bodyFault, utf8Fault } from "./body-fault.ts";
import { tooLarge } from "./errors.ts";
import { isJsonType, JSON_TYPE } from "./forem-compat.ts";
import { checkStructure } from "./json-structure.ts";
import { keepDeclared } from "./unknown-attributes.ts";

/**
 * Takes JSON bodies only. An empty body is no body, whatever its type. The last of equal keys counts; a byte order mark
 * is skipped.
 */
export function readJsonBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
    noteBody(request, bytes);
    if (bytes.length === 0) return undefined;
    checkType(request.headers["content-type"] ?? "");
    checkStructure(bytes);
    const { body, warnings } = keepDeclared(parseBody(bytes), request.routeOptions.schema?.body ?? {});
    request.warnings = warnings;
    return body;
  });
}

/**
 * Fingerprints the body. JSON bodies are noted when they are read; other parsers pass the bytes that identify the
 * request.
 */
export function noteBody(request: FastifyRequest, ...pieces: Buffer[]): void {
  if (request.headers["idempotency-key"] === undefined) return;
  const hash = createHash("sha256");
  for (const bytes of pieces) hash.update(bytes);
  request.bodyDigest = hash.digest();
}

/** Some clients send a type without a body. */
export function forgetTypeOfNothing(request: FastifyRequest): void {
  if (!announcesBody(request)) delete request.headers["content-type"];
}

/** Applies the rules of bodies to those of GET and HEAD, which are not read. */
export function refuseUnreadBody(request: FastifyRequest): void {
  const { method, headers } = request;
  if ((method !== "GET" && method !== "HEAD") || !announcesBody(request)) return;
  if (Number(headers["content-length"] ?? 0) > request.routeOptions.bodyLimit) {
    throw tooLarge(request.routeOptions.bodyLimit);
  }
  checkType(headers["content-type"] ?? "");
}

function announcesBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function checkType(type: string): void {
  if (isJsonType(type)) return;
  const sent = type === "" ? "and the request names no type" : `not ${quote(type)}`;
  throw new AppError("unsupported", `The body must be JSON with Content-Type: ${JSON_TYPE}, ${sent}.`);
}

function parseBody(bytes: Buffer): unknown {
  const body = parseJson(bytes);
  check(body, []);
  return body;
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError("malformed", utf8Fault(bytes));
  const text = bytes.toString("utf8", startsWithMark(bytes) ? 3 : 0);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("malformed", bodyFault(text), { cause });
  }
}

const startsWithMark = ([first, second, third]: Buffer) =>
  first === 0xef && second === 0xbb && third === 0xbf;

/** Refuses texts that can't be stored, and keys that objects inherit. `path` is one array. */
function check(value: unknown, path: (string | number)[]): void {
  if (typeof value === "string") {
    const fault = faultIn(value);
    if (fault !== undefined) throw invalid(`${nameOf(path)} contains ${fault}: leave it out`);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === "string") checkKey(key, path);
    path.push(key);
    check(part, path);
    path.pop();
  }
}

function checkKey(key: string, path: (string | number)[]): void {
  const fault = faultIn(key);
  if (fault !== undefined) throw invalid(`A key in ${nameOf(path)} contains ${fault}: leave it out`);
  if (key === "__proto__" || (key === "prototype" && path.at(-1) === "constructor")) {
    throw invalid(`${nameOf(path)} has the key ${key}, which isn't allowed: leave it out`);
  }
}

function nameOf(path: (string | number)[]): string {
  return path.length === 0 ? "The body" : path.join(".").slice(0, 200);
}

/** The most bytes of a refused body that are read: several times the largest accepted body. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Ticks measure the time, so that a stall of the server doesn't count. */
const TICK_MS = 250;
const MAX_TICKS = 20;

/**
 * Answers, and reads and drops the rest of the body, within bounds. Closing the connection at once would reset it
 * while the client writes, and most clients would not see the answer.
 */
export function drain(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  if (request.complete || request.destroyed || !announcesBody(request)) return answer();
  // Node closes the connection after its last answer, so that one waits for the body.
  if (!response.shouldKeepAlive) return discard(request, { atEnd: answer, beyond: answer });
  discard(request, { atEnd: () => {}, beyond: () => void request.destroy() });
  answer();
}

function discard(request: IncomingMessage, { atEnd, beyond }: Record<"atEnd" | "beyond", () => void>): void {
  let bytes = 0;
  let ticks = 0;
  let isOver = false;
  const end = (action: () => void) => {
    if (isOver) return;
    isOver = true;
    clearInterval(clock);
    action();
  };
  const clock = setInterval(() => {
    if (++ticks > MAX_TICKS) end(beyond);
  }, TICK_MS);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) end(beyond);
    // Otherwise Node reads two megabytes of each such connection before it turns to the others.
    request.pause();
    setImmediate(() => request.resume());
  });
  request.once("end", () => end(atEnd)).once("close", () => end(atEnd));
}
