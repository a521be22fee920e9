import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Databases } from "../platform/db/connect.ts";
import { AppError } from "../platform/errors.ts";
import {
  type Encoding,
  formFor,
  isForemClient,
  mediaType,
  pack,
  type Packed,
  packFor,
  preferredEncoding,
  toForem,
} from "./negotiation.ts";
import { pathOf } from "./pages.ts";
import { isRateLimitField } from "./rate-limit.ts";
import { CHANGED } from "./responses.ts";

/** The body is JSON text, unless it has another type. */
export interface Answer {
  body: string | Buffer | (() => string);
  /** The digest of all that the body and the fields are made from: while it is the same, they aren't made again. */
  madeFrom?: string | undefined;
  /** Equal for equal bodies only. Default: the whole body. */
  version?: string;
  /** The media type of an answer that isn't JSON; it has one form for every client. */
  type?: string;
  headers?: Record<string, string>;
  status?: number;
  /** Called for every request with this answer, also for a 304. */
  onSent?: (reader: Reader) => void;
}

/** The parts of a request that an answer to a read is made from. */
export interface Asked<Query> extends Pick<FastifyRequest, "url" | "headers" | "given"> {
  query: Query;
}

export type Reader = Pick<FastifyRequest, "method" | "ip" | "headers" | "caller">;

export interface PreparedAnswer {
  body: Buffer;
  /** Answers of the same version share them. */
  packed: Packed;
  /** Names and values in turn, of the fields that all anonymous clients get; known after the first answer. */
  head?: string[];
  etag: string;
  madeFrom: string | undefined;
  type: string | undefined;
  headers: Record<string, string>;
  status: number;
  onSent: Answer["onSent"];
}

/**
 * Answers a read that is the same for all clients, loaded at most once while it is fresh. Its key is the path and the
 * parameters that the route knows, so nothing else of the request may affect it.
 * @param produce gets the databases of one server, and may run again on another
 */
export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  produce: (db: Databases) => Promise<Answer>,
): Promise<FastifyReply> {
  const key = keyOf(request);
  const isForem = isForemClient(request);
  const { cache, db, edgeControl } = request.server;
  const replicas = request.headers["api-key"] === undefined ? db.replicas : undefined;
  const load = async (previous: PreparedAnswer | undefined) =>
    prepareAgain(await (replicas === undefined ? produce(db) : replicas.load(produce)), isForem, previous);
  const ready = await cache.memoize(key, load, { sizeOf });
  reply.header("cache-control", request.inPrivate ? "private, no-store" : "public, no-cache");
  const isPage = request.routeOptions.config.isPage === true;
  const vary = ready.type === undefined ? "Accept, Accept-Encoding, api-key" : VARY[isPage ? "page" : "file"];
  const isKnownVersion = begin(request, reply, ready, vary);
  letEdgeKeep(request, reply);
  request.server.keepAnswer(request, reply, { key, ready });
  if (isKnownVersion) return reply.code(304).send();
  // Most pages are asked for once, by a person who waits for their bytes. A cache in front keeps what comes first.
  const isPackedAtOnce = isPage || edgeControl !== undefined;
  return sendPacked(request, reply, { ready, isPackedAtOnce, onPacked: () => cache.resize(key) });
}

interface Sending {
  ready: PreparedAnswer;
  isPackedAtOnce: boolean;
  onPacked: () => void;
}

async function sendPacked(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { ready, isPackedAtOnce, onPacked }: Sending,
): Promise<FastifyReply> {
  const accepted = headers["accept-encoding"];
  if (isPackedAtOnce) await packFor(ready, accepted, onPacked);
  const { body, encoding } = formFor(ready, accepted, onPacked);
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.send(body);
}

const VARY = { page: "Accept-Encoding, Cookie, api-key", file: "Accept-Encoding, api-key" };

/** Answers the reader of a page only. Nothing stores it. */
export async function memberAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, answer, isPacked = true }: { id: number; answer: Answer; isPacked?: boolean },
): Promise<FastifyReply> {
  const ready = prepare(answer, false);
  reply.header("cache-control", "private, no-store");
  // The id sets the version apart from those of strangers and other readers.
  const etag = etagOf(`${id} ${ready.etag}`);
  if (begin(request, reply, { ...ready, etag }, VARY.page)) return reply.code(304).send();
  if (!isPacked) return reply.send(ready.body);
  return sendPacked(request, reply, { ready, isPackedAtOnce: true, onPacked: () => {} });
}

/** Answers this caller only. Nothing stores it, but it has an `ETag` for `If-Match`. */
export function privateAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const ready = prepare(answer, isForemClient(request));
  reply.header("cache-control", "private, no-store");
  const vary = ready.type === undefined ? "Accept, api-key" : "api-key";
  return begin(request, reply, ready, vary) ? reply.code(304).send() : reply.send(ready.body);
}

export function keyOf(asked: Omit<Asked<unknown>, "query">): string {
  return `answer ${isForemClient(asked)} ${pathOf(asked)}?${new URLSearchParams(asked.given)}`;
}

export function prepareAgain(
  made: Answer,
  isForem: boolean,
  previous: PreparedAnswer | undefined,
): PreparedAnswer {
  if (made.madeFrom !== undefined && made.madeFrom === previous?.madeFrom) {
    const { head: _, ...kept } = previous;
    return { ...kept, onSent: made.onSent };
  }
  const ready = prepare(made, isForem);
  return previous?.etag === ready.etag ? { ...ready, packed: previous.packed } : ready;
}

function prepare(answer: Answer, isForem: boolean): PreparedAnswer {
  const { version, madeFrom, type, headers = {}, status = 200, onSent } = answer;
  const isRenamed = isForem && type === undefined;
  const content = typeof answer.body === "function" ? answer.body() : answer.body;
  const renamed = isRenamed ? toForem(content.toString()) : content;
  const body = Buffer.isBuffer(renamed) ? renamed : Buffer.from(renamed);
  const etag = etagOf(version === undefined ? body : `${isRenamed ? "forem " : ""}${version}`);
  return { body, etag, madeFrom, type, headers, status, onSent, packed: {} };
}

export function sizeOf({ body, packed }: PreparedAnswer): number {
  const forms = Object.values(packed).filter((form) => Buffer.isBuffer(form));
  return forms.reduce((sum, form) => sum + form.length, body.length + 2_000);
}

/** Weak, because compression may change the bytes. */
export function etagOf(body: string | Buffer): string {
  return `W/"${hash("sha1", body, "base64url")}"`;
}

/** Compares a list as in `If-None-Match` and `If-Match`; `W/` doesn't count. */
export function hasVersion(list: string, etag: string): boolean {
  if (list.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return list.split(",").some((version) => version.trim().replace(/^W\//, "") === opaque);
}

export function isKnown({ method, headers }: FastifyRequest, etag: string): boolean {
  const known = headers["if-none-match"];
  return (method === "GET" || method === "HEAD") && known !== undefined && hasVersion(known, etag);
}

/** Sets the fields; returns whether that is all, because the client has this version. */
function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type, headers, status, onSent }: PreparedAnswer,
  vary: string,
): boolean {
  onSent?.(request);
  reply.headers({ ...headers, etag, vary });
  // Only a 200 has a body that a client may know.
  if (status === 200 && isKnown(request, etag)) {
    request.giveBack?.();
    return true;
  }
  reply.code(status).type(type ?? mediaType(request));
  return false;
}

/**
 * Makes a check that refuses a row which isn't what `If-Match` says it is; undefined without `If-Match`. A verb checks
 * the row that it has locked, so that nothing changes in between.
 * @param show the JSON text of a read of the row
 */
export function ifMatch<Row>(
  { headers }: FastifyRequest,
  show: (row: Row) => string,
): ((row: Row) => void) | undefined {
  const asked = headers["if-match"];
  if (asked === undefined) return undefined;
  return (row) => {
    const body = show(row);
    // A version is of the body that most clients read, or of that of clients written for Forem.
    if ([body, toForem(body)].some((text) => hasVersion(asked, etagOf(text)))) return;
    throw new AppError("precondition_failed", CHANGED);
  };
}

/**
 * Lets a cache in front of the server keep a public answer to a request without a key (RFC 9213), unless the answer has a
 * lifetime of its own. The limits of the client who asked first mean nothing to the others. Call it last, when all fields
 * are set.
 */
export function letEdgeKeep({ server, headers }: FastifyRequest, reply: FastifyReply): void {
  if (server.edgeControl === undefined || headers["api-key"] !== undefined) return;
  const own = String(reply.getHeader("cache-control"));
  if (!own.startsWith("public")) return;
  if (own === "public, no-cache") reply.header("cdn-cache-control", server.edgeControl);
  for (const name of Object.keys(reply.getHeaders())) if (isRateLimitField(name)) reply.removeHeader(name);
}

/** The last 4 % of levels 10 and 11 take ten times as long. */
const LEVEL = 9;

export interface ConstantText {
  type: string;
  body: Buffer;
  etag: string;
  packed: Map<Encoding, Promise<Buffer>>;
}

export function constantText(type: string, text: string | Buffer): ConstantText {
  const body = Buffer.from(text);
  return { type, body, etag: etagOf(body), packed: new Map() };
}

export async function sendConstant(
  request: FastifyRequest,
  reply: FastifyReply,
  text: ConstantText,
): Promise<FastifyReply> {
  reply.headers({ etag: text.etag, vary: "Accept-Encoding" });
  if (isKnown(request, text.etag)) return reply.code(304).send();
  reply.type(text.type);
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  if (encoding === undefined) return reply.send(text.body);
  let packed = text.packed.get(encoding);
  if (packed === undefined) text.packed.set(encoding, (packed = pack(text.body, encoding, LEVEL)));
  return reply.header("content-encoding", encoding).send(await packed);
}
