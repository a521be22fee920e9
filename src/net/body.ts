import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { FetchFailure } from "./failure.ts";

export interface Bounds {
  maxBytes: number;
  maxRatio: number;
  read: "whole" | "beginning" | "best-effort";
}

/** Some servers omit the header of `deflate`; the first byte tells. */
const DECODERS: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/**
 * Stops at the first byte too many.
 * @throws FetchFailure, or errors of the stream; never by best effort
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  host: string,
  bounds: Bounds,
): Promise<Buffer> {
  const received = { bytes: 0 };
  const chunks: Buffer[] = [];
  try {
    await readInto(chunks, await decoded(body, encoding, host, received), received, host, bounds);
  } catch (error) {
    if (bounds.read !== "best-effort") throw error;
  }
  return Buffer.concat(chunks).subarray(0, bounds.maxBytes);
}

async function readInto(
  chunks: Buffer[],
  text: Readable,
  received: { bytes: number },
  host: string,
  { maxBytes, maxRatio, read }: Bounds,
): Promise<void> {
  let size = 0;
  for await (const chunk of text) {
    size += (chunk as Buffer).length;
    if (size > received.bytes * maxRatio) {
      throw new FetchFailure("size", `${host}'s answer grows too much when it is unpacked.`);
    }
    chunks.push(chunk as Buffer);
    if (size < maxBytes) continue;
    if (read !== "whole") break;
    if (size > maxBytes) throw tooLarge(host, maxBytes);
  }
}

export function tooLarge(host: string, maxBytes: number): FetchFailure {
  return new FetchFailure("size", `${host}'s answer is larger than ${maxBytes} bytes.`);
}

async function decoded(
  body: Readable,
  encoding: string | undefined,
  host: string,
  received: { bytes: number },
): Promise<Readable> {
  const name = encoding?.trim().toLowerCase() ?? "";
  const counting = count(body, received);
  if (name === "" || name === "identity") return Readable.from(counting);
  const create = DECODERS[name];
  if (create === undefined) {
    throw new FetchFailure("answer", `${host}'s answer is packed in a way that isn't known.`);
  }
  const first = await counting.next();
  if (first.done) return Readable.from([]);
  // The reader of the decoder gets the errors.
  return pipeline(
    Readable.from(withFirst(first.value, counting)),
    create(first.value[0] ?? 0),
    () => undefined,
  );
}

async function* count(body: Readable, received: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    received.bytes += (chunk as Buffer).length;
    yield chunk as Buffer;
  }
}

async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
