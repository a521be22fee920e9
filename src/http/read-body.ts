import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { AppError } from "../errors.ts";
import type { BodyMeter } from "./body-budget.ts";

interface Reading {
  /** As announced. */
  length: number | undefined;
  limit: number;
  meter?: BodyMeter | undefined;
  /** Makes the refusal of a body over the limit. */
  refuse?: () => AppError;
  /** Called with each piece in turn. It throws if the body is refused. */
  check: (piece: Buffer) => void;
}

/** Undefined for a body in chunks. */
export function announcedLength(headers: IncomingHttpHeaders): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

const FIRST_BYTES = 16 * 1024;

/**
 * Reads a body into one buffer, and stops at the first refusal. The stream is left as it is, because destroying it
 * would close the connection before the client has read the response.
 */
export async function readBody(stream: Readable, reading: Reading): Promise<Buffer> {
  const { length, limit, meter, refuse = () => tooLarge(limit), check } = reading;
  if (length !== undefined && length > limit) throw refuse();
  meter?.expect(length ?? 0);
  const most = length ?? limit;
  let bytes = Buffer.allocUnsafe(Math.min(most, FIRST_BYTES));
  let used = 0;

  function append(piece: Buffer): void {
    const needed = used + piece.length;
    if (needed > limit) throw refuse();
    meter?.count(needed);
    if (needed > bytes.length) grow(Math.max(needed, Math.min(most, 2 * bytes.length)));
    check(piece);
    piece.copy(bytes, used);
    used = needed;
  }

  function grow(size: number): void {
    const larger = Buffer.allocUnsafe(size);
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  }

  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      stream.off("data", onData).off("end", onEnd).off("error", onError);
      settle();
    };
    const onData = (piece: Buffer) => {
      try {
        append(piece);
      } catch (error) {
        end(() => reject(error));
      }
    };
    const onEnd = () => end(() => resolve(bytes.subarray(0, used)));
    const onError = (cause: Error) => end(() => reject(new AppError("malformed", "bad request", { cause })));
    stream.on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

export function tooLarge(limit: number, what = "body"): AppError {
  const sentence = `The ${what} is larger than ${sizeOf(limit)}, the most that is allowed here: send a smaller one`;
  return new AppError("too_large", sentence);
}

function sizeOf(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
}
