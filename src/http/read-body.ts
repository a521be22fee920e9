import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { AppError } from "../errors.ts";

interface Reading {
  /** The announced length. */
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

const MIB = 1024 * 1024;
/** The bytes of all large bodies in memory: more than ten times the largest one. */
const TOTAL_BYTES = 64 * MIB;
/** One user leaves room for others. */
const BYTES_OF_USER = TOTAL_BYTES / 2;
/** Most writes are smaller, and never wait for large ones; the caps of connections bound these. */
const SMALL_BYTES = 64 * 1024;

const FULL = "The server holds as many large bodies as it can: try again in 1 second";

export interface BodyMeter {
  /** Refuses an announced body for which there is no room beside what has arrived of others. */
  expect: (length: number) => void;
  /** Counts the bytes that have arrived. */
  count: (arrived: number) => void;
}

/**
 * Bounds the bytes of large JSON bodies that are in memory at once, from their arrival until the response has ended.
 * An announcement takes nothing, so that a client can't hold room without sending.
 */
export function createBodyBudget() {
  const byUser = new Map<number, number>();
  let total = 0;

  function add(user: number, bytes: number): void {
    total += bytes;
    const own = (byUser.get(user) ?? 0) + bytes;
    if (own > 0) byUser.set(user, own);
    else byUser.delete(user);
  }

  /** Returns the meter of one request; both of its functions throw AppError unavailable. */
  return (user: number, response: ServerResponse): BodyMeter => {
    let taken = 0;
    const giveBack = () => {
      add(user, -taken);
      taken = 0;
    };
    // Only "close" comes when the client breaks off.
    response.once("finish", giveBack).once("close", giveBack);

    /** The bytes of a body of this size that are not taken yet. */
    function missing(size: number): number {
      if (size <= SMALL_BYTES) return 0;
      const bytes = size - taken;
      const isFull = total + bytes > TOTAL_BYTES || (byUser.get(user) ?? 0) + bytes > BYTES_OF_USER;
      if (response.destroyed || isFull) throw new AppError("unavailable", FULL, { retryAfterSeconds: 1 });
      return bytes;
    }

    return {
      expect: (length) => void missing(length),
      count(arrived) {
        const bytes = missing(arrived);
        taken += bytes;
        add(user, bytes);
      },
    };
  };
}
