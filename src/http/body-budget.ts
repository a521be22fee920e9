import type { ServerResponse } from "node:http";
import { AppError } from "../errors.ts";

const MIB = 1024 * 1024;
/** More than ten times the largest body. */
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
    // The second alone comes when the client breaks off.
    response.once("finish", giveBack).once("close", giveBack);

    /** Of a body of this size, the bytes that are not taken yet. */
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
