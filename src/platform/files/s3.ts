// oxlint-disable promise/no-callback-in-promise, promise/no-promise-in-callback -- a Writable has callbacks.
import { type Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type S3Config, S3mini, S3ServiceError } from "s3mini";
import { Agent, type Dispatcher, request } from "undici";
import type { Config } from "../config.ts";
import { reasonOf, STORE_FAILURE } from "../db/failures.ts";
import { BACKUPS, checkName, type Files, isName } from "./files.ts";

const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;
const RETRIES = 2;
const PAUSE_MS = 100;
const PAGE = 1_000;
const NO_BUCKET = "There is no such bucket";

interface Options {
  place: string;
  onFailure?: (() => void) | undefined;
  answerMs?: number;
}

function openBucket(
  { endpoint, bucket, ...access }: NonNullable<Config["s3"]>,
  { place, onFailure, answerMs = ANSWER_MS }: Options,
) {
  const store = new S3mini({ ...access, endpoint: `${endpoint}/${bucket}`, fetch: createSend(answerMs) });
  const failure = (reason: unknown, error?: Error) => {
    onFailure?.();
    // Neither the request nor the body of the response, which name the key.
    const message = `The file store can't be used, ${place}: ${reasonOf(originOf(reason))}`;
    return Object.assign(error ?? new Error(message), { message, code: STORE_FAILURE });
  };
  return { store, failure };
}

/** A PUT replaces an object whole, so nothing is ever half written or has to be swept. */
export function createS3Files(config: NonNullable<Config["s3"]>, options: Options): Files {
  const { store, failure } = openBucket(config, options);
  const unlessMissing = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw failure(error);
    });

  return {
    async put(name, bytes) {
      if (!(await unlessMissing(store.putObject(checkName(name), bytes))))
        throw failure(new Error(NO_BUCKET));
    },

    async get(name) {
      const response = await unlessMissing(store.getObjectRaw(checkName(name)));
      if (response === undefined) return undefined;
      const stream = response.body as unknown as Readable;
      stream.on("error", (error) => void failure(error, error));
      const size = response.headers.get("content-length");
      if (size !== null) return { size: Number(size), stream };
      stream.destroy();
      throw failure(new Error("A response has no Content-Length"));
    },

    async *list(folder) {
      const prefix = folder === undefined ? "" : `${folder}/`;
      let next: string | undefined;
      do {
        const page = await unlessMissing(store.listObjectsPaged("/", prefix, PAGE, next));
        if (!page) throw failure(new Error(NO_BUCKET));
        for (const { Key: name, LastModified: modifiedAt, ETag, Size: bytes } of page.objects ?? []) {
          const md5 = MD5.exec(ETag)?.[1];
          // Other programs' objects; and backups are no files of the site.
          if (isName(name) && (folder !== undefined || !name.startsWith(BACKUPS)))
            yield { name, modifiedAt, bytes, ...(md5 !== undefined && { md5 }) };
        }
        next = page.nextContinuationToken;
      } while (next !== undefined);
    },

    async remove(name) {
      await unlessMissing(store.deleteObject(checkName(name)));
    },

    sweep: async () => {},
  };
}

/** The ETag of an object in one part, except in buckets that encrypt with a key of their own. */
const MD5 = /^"?([0-9a-f]{32})"?$/;

function isMissing(error: unknown): boolean {
  const isStatus = error instanceof S3ServiceError && error.status === 404;
  return isStatus && !error.body?.includes("NoSuchBucket");
}

const originOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? originOf(error.cause) : error;

/** The store may answer differently a moment later. */
const PASSING = [429, 500, 502, 503, 504];

interface Sent {
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | Buffer | null;
}

/** Requests to the operator's own store, in whatever network. Each may be sent again: objects are whole. */
function createSend(answerMs: number): NonNullable<S3Config["fetch"]> {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS, rejectUnauthorized: true },
    // Silence in the body; a slow reader of it may take longer.
    bodyTimeout: answerMs,
  });
  const send = async (url: string, { method, body = null, ...sent }: Sent, signal: AbortSignal) => {
    // An encoded body has another length.
    const headers = { ...sent.headers, "accept-encoding": "identity" };
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt === RETRIES;
      try {
        const response = await request(url, { method, body, headers, dispatcher, signal });
        if (isLast || !PASSING.includes(response.statusCode)) return asFetched(response);
        await response.body.dump();
      } catch (error) {
        if (isLast || signal.aborted) throw error;
      }
      await sleep(PAUSE_MS * 4 ** attempt, undefined, { signal });
    }
  };
  return (async (url: string, init: Sent) => {
    const late = new AbortController();
    const reason = new Error(`It didn't respond within ${answerMs / 1_000} seconds`);
    const timer = setTimeout(() => late.abort(reason), answerMs);
    return send(url, init, late.signal).finally(() => clearTimeout(timer));
  }) as unknown as NonNullable<S3Config["fetch"]>;
}

/** The parts of a `Response` that the client reads; a real one would double the time of a picture. */
function asFetched({ statusCode: status, headers, body }: Dispatcher.ResponseData) {
  return {
    status,
    ok: status >= 200 && status < 300,
    statusText: "",
    headers: { get: (name: string) => headers[name] ?? null },
    body: Object.assign(body, { cancel: () => body.dump() }),
    text: () => body.text(),
    arrayBuffer: () => body.arrayBuffer(),
  };
}

/** A store takes 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024;

/** Writes an object in parts. It is there when the sink has finished; after a failure nothing is left. */
export function createUpload(config: NonNullable<Config["s3"]>, place: string, name: string): Writable {
  const { store, failure } = openBucket(config, { place });
  const sent: { partNumber: number; etag: string }[] = [];
  let chunks: Buffer[] = [];
  let size = 0;
  let id: string | undefined;
  let running = Promise.resolve();

  async function send(): Promise<void> {
    const part = Buffer.concat(chunks);
    [chunks, size] = [[], 0];
    id ??= await store.getMultipartUploadId(name);
    sent.push(await store.uploadPart(name, id, part, sent.length + 1));
  }
  /** A store that refuses to complete an upload says so in a response that looks like success. */
  async function complete(): Promise<void> {
    await send();
    const { etag } = await store.completeMultipartUpload(name, String(id), sent);
    if (!etag) throw new Error("It didn't put the parts together");
    id = undefined;
  }
  async function abort(): Promise<void> {
    // A part that is on its way would come after the end of its upload.
    await running;
    if (id !== undefined) await store.abortMultipartUpload(name, id);
  }
  function settle(work: Promise<void>, done: (error?: Error | null) => void): void {
    running = work.then(
      () => done(),
      (error: unknown) => done(failure(error)),
    );
  }

  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      size += chunk.length;
      if (size < PART_BYTES) done();
      else settle(send(), done);
    },
    final: (done) => settle(complete(), done),
    destroy(error, done) {
      void abort()
        .catch(() => undefined)
        .then(() => done(error));
    },
  });
}
