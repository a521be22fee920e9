import { isIP } from "node:net";
import { buildConnector, Client, type Dispatcher } from "undici";
import { hostOf, isPublic, privateAddress } from "./destination.ts";
import { FetchFailure, toFailure } from "./failure.ts";
import type { Address, Resolve } from "./resolving.ts";
import { PassThrough, pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const MAX_HEADER_BYTES = 16 * 1024;

export interface Message {
  method: "GET" | "HEAD" | "POST";
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

export interface SendOptions extends Bounds {
  allowPrivateNetwork: boolean;
  resolve: Resolve;
  /** Bounds the lookup, and again the connection. */
  connectTimeoutMs: number;
  /** One name of each key is looked up at a time. Default: the host. */
  queueKey?: string;
  signal: AbortSignal;
  hasBody: (head: Pick<Reply, "status" | "headers">) => boolean;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Opens a connection for one request. @throws FetchFailure */
export async function sendRequest(url: URL, message: Message, options: SendOptions): Promise<Reply> {
  const host = hostOf(url);
  options.signal.throwIfAborted();
  const addresses = await addressesOf(host, options).catch((error: unknown) => {
    throw toFailure(error, host);
  });
  return converse(url, message, { ...options, addresses });
}

/** One private address refuses a host: honest hosts don't mix them. @throws FetchFailure */
async function addressesOf(host: string, options: SendOptions): Promise<Address[]> {
  const { connectTimeoutMs: timeoutMs, queueKey = host, allowPrivateNetwork, resolve, signal } = options;
  const family = isIP(host);
  const addresses =
    family === 0 ? await resolve(host, { queueKey, timeoutMs, signal }) : [{ address: host, family }];
  if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" });
  if (!allowPrivateNetwork && !addresses.every(({ address }) => isPublic(address))) throw privateAddress();
  return addresses;
}

async function converse(
  url: URL,
  message: Message,
  options: SendOptions & { addresses: readonly Address[] },
): Promise<Reply> {
  const { signal } = options;
  const client = new Client(url.origin, {
    connect: buildConnector({
      timeout: options.connectTimeoutMs,
      allowH2: false,
      // Certificates are checked whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      // Connects to the checked addresses only: a second lookup could differ.
      autoSelectFamily: true,
      lookup: (_host, _options, callback) => process.nextTick(callback, null, [...options.addresses]),
    }),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The caller's deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
  });
  const stop = () => void client.destroy(signal.reason as Error).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const { method, headers, body = null } = message;
    const answer = await client.request({ method, path: `${url.pathname}${url.search}`, headers, body });
    // An unread body ends in an error when its connection closes.
    answer.body.on("error", () => undefined);
    return await receive(answer, hostOf(url), options);
  } catch (error) {
    throw signal.aborted ? signal.reason : toFailure(error, hostOf(url));
  } finally {
    signal.removeEventListener("abort", stop);
    await client.destroy().catch(() => undefined);
  }
}

async function receive(
  { statusCode: status, headers: raw, body }: Dispatcher.ResponseData,
  host: string,
  options: SendOptions,
): Promise<Reply> {
  const headers = flatten(raw);
  if (!options.hasBody({ status, headers })) return { status, headers, body: Buffer.alloc(0) };
  const { maxBytes, read } = options;
  if (read === "whole" && Number(headers["content-length"]) > maxBytes) throw tooLarge(host, maxBytes);
  const encoding = headers["content-encoding"];
  const content = await readBody(body, encoding, host, options);
  // Best effort would take a stopped body for a complete one.
  options.signal.throwIfAborted();
  return { status, headers, body: content };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, [value].flat().join(", ")]));
}

interface Bounds {
  maxBytes: number;
  maxRatio: number;
  read: "whole" | "beginning" | "best-effort";
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  "": () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

/** Stops at the first byte too many. @throws FetchFailure, or errors of the stream */
async function readBody(
  body: Readable,
  encoding: string | undefined,
  host: string,
  { maxBytes, maxRatio, read }: Bounds,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [received, size] = [0, 0];
  async function* count(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of packed) {
      received += chunk.length;
      yield chunk;
    }
  }
  try {
    const createDecoder = DECODERS[encoding?.trim().toLowerCase() ?? ""];
    if (!createDecoder)
      throw new FetchFailure("answer", `${host}'s response has an unknown Content-Encoding.`);
    // The loop gets the errors.
    const text = pipeline(body, count, createDecoder(), () => undefined);
    for await (const chunk of text as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > received * maxRatio)
        throw new FetchFailure("size", `${host}'s response grows too much when it is decompressed.`);
      chunks.push(chunk);
      if (size >= maxBytes && read !== "whole") break;
      if (size > maxBytes) throw tooLarge(host, maxBytes);
    }
  } catch (error) {
    // A decoder finds an empty body unfinished.
    const isEmpty = received === 0 && (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
    if (read !== "best-effort" && !isEmpty) throw error;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

const tooLarge = (host: string, maxBytes: number): FetchFailure =>
  new FetchFailure("size", `${host}'s response is larger than ${maxBytes} bytes.`);
