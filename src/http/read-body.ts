import type { Readable } from "node:stream";
import { AppError } from "../errors.ts";
import type { BodyMeter } from "./body-budget.ts";

interface Reading {
  /** The announced length; undefined for a body in chunks. */
  length: number | undefined;
  limit: number;
  meter?: BodyMeter | undefined;
  /** Called with each piece in turn. It throws if the body is refused. */
  check: (piece: Buffer) => void;
}

const FIRST_BYTES = 16 * 1024;

/**
 * Reads a body into one buffer, and stops at the first refusal. The stream is left as it is, because destroying it
 * would close the connection before the client has read the response.
 */
export async function readBody(stream: Readable, { length, limit, meter, check }: Reading): Promise<Buffer> {
  if (length !== undefined && length > limit) throw tooLarge(limit);
  meter?.expect(length ?? 0);
  const most = length ?? limit;
  let bytes = Buffer.allocUnsafe(Math.min(most, FIRST_BYTES));
  let used = 0;

  function append(piece: Buffer): void {
    const needed = used + piece.length;
    if (needed > limit) throw tooLarge(limit);
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

export function tooLarge(limit: number): AppError {
  return new AppError("too_large", `The body is larger than ${sizeOf(limit)}, the most that is allowed here`);
}

function sizeOf(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
}
