import { PassThrough, pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchFailure } from "./failure.ts";

export interface Bounds {
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

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/**
 * Stops at the first byte too many.
 * @throws FetchFailure, or errors of the stream; never by best effort
 */
export async function readBody(
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

export const tooLarge = (host: string, maxBytes: number): FetchFailure =>
  new FetchFailure("size", `${host}'s response is larger than ${maxBytes} bytes.`);
