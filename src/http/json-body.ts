import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { AppError, invalid } from "../platform/errors.ts";
import { jsonFault } from "../content/text/json-fault.ts";
import { type Input, isObject } from "../platform/fields/fields.ts";
import { nearestName } from "../platform/nearest-name.ts";
import { quote } from "../platform/text/quote.ts";
import { faultIn } from "../platform/text/valid-text.ts";
import type { App } from "./app-type.ts";
import { tooLarge } from "./errors.ts";
import { isJsonType, JSON_TYPE } from "./negotiation.ts";

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
    const sent = parseJson(bytes);
    check(sent, []);
    const { body, warnings } = keepDeclared(sent, request.routeOptions.schema?.body ?? {});
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

/** The part of a body's schema that names its attributes. */
interface Declared {
  properties?: Record<string, Declared>;
}

/** Clients may make up any number of names. */
const MAX_WARNINGS = 10;

/**
 * The body without the values of attributes that its operation doesn't declare, and a warning for each of those:
 * clients send more than the program knows, so they are never a refusal. Their names stay, for an object of unknown
 * names alone isn't empty.
 */
function keepDeclared(body: unknown, declared: Declared): { body: unknown; warnings: string[] } {
  const { kept, unknown } = split(body, declared);
  const warnings = unknown.slice(0, MAX_WARNINGS).map((each) => sentenceAbout(each, declared));
  const more = unknown.length - warnings.length;
  if (more > 0)
    warnings.push(`${more} more unknown ${more === 1 ? "attribute was" : "attributes were"} ignored.`);
  return { body: kept, warnings };
}

interface Unknown {
  name: string;
  among: string[];
}

function split(value: unknown, { properties }: Declared): { kept: unknown; unknown: Unknown[] } {
  if (properties === undefined || !isObject(value)) return { kept: value, unknown: [] };
  const among = Object.keys(properties);
  const kept: Input = {};
  const unknown: Unknown[] = [];
  for (const name of Object.keys(value)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const part = declared && split(value[name], declared);
    kept[name] = part?.kept;
    unknown.push(...(part?.unknown ?? [{ name, among }]));
  }
  return { kept, unknown };
}

function sentenceAbout({ name, among }: Unknown, { properties = {} }: Declared): string {
  const [wrapper] =
    Object.entries(properties).find(([, { properties = {} }]) => Object.hasOwn(properties, name)) ?? [];
  if (wrapper !== undefined)
    return `Attribute ${quote(name)} was ignored: it belongs inside ${quote(wrapper)}.`;
  const near = nearestName(name, among);
  const advice = near === undefined ? "." : `: did you mean ${quote(near)}?`;
  return `Attribute ${quote(name)} is unknown and was ignored${advice}`;
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

/** A longer text, which would cost more than 20 ms, is only called broken. */
const MAX_LENGTH = 1024 * 1024;

function bodyFault(text: string): string {
  if (text.length > MAX_LENGTH) return "The body isn't valid JSON.";
  const fault = jsonFault(text, (at) => {
    const before = text.slice(0, at);
    return `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
  });
  return `The body isn't valid JSON: ${fault}.`;
}

function utf8Fault(bytes: Buffer): string {
  // Decoding replaces the first wrong byte.
  const replaced = Buffer.from(bytes.toString("utf8"));
  let at = 0;
  while (bytes[at] === replaced[at]) at++;
  return `The body isn't UTF-8: byte ${at + 1} is wrong.`;
}

const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const LAST_BLANK = 0x20;

const TOO_MANY = `The body has more than ${MAX_VALUES} values, counting each object, array, string, number and literal: send fewer`;

/**
 * Counts the values of a JSON text before it is parsed, because parsing a million of them takes seconds and hundreds of
 * megabytes. Each object, array, string, number and literal counts; names don't. The parser decides whether the text is
 * JSON.
 * @throws AppError invalid when there are too many or too deep
 */
function checkStructure(bytes: Uint8Array): void {
  let [values, depth, isInScalar] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const wasInScalar = isInScalar;
    isInScalar = false;
    if (byte === QUOTE) {
      values++;
      at = endOfText(bytes, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values++;
      if (++depth > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep`);
    } else if (byte === COLON) {
      // The string before it was a name.
      values--;
    } else if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (byte !== COMMA) depth--;
      if (values > MAX_VALUES) throw invalid(TOO_MANY);
    } else if (byte > LAST_BLANK) {
      if (!wasInScalar) values++;
      isInScalar = true;
    }
  }
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
