import type { ServerResponse } from "node:http";
import { AppError } from "../errors.ts";

const MIB = 1024 * 1024;
/** More than ten times the largest body. */
const TOTAL_BYTES = 64 * MIB;
/** One user leaves room for others. */
const BYTES_OF_USER = TOTAL_BYTES / 2;

const FULL = "The server holds as many large bodies as it can: try again in 1 second";

/** Bounds the bytes of JSON bodies that are in memory at once, from before each is read until its response has ended. */
export function createBodyBudget() {
  const byUser = new Map<number, number>();
  let total = 0;

  function add(user: number, bytes: number): void {
    total += bytes;
    const own = (byUser.get(user) ?? 0) + bytes;
    if (own > 0) byUser.set(user, own);
    else byUser.delete(user);
  }

  /** Returns a function that takes bytes for one request, or throws AppError unavailable. */
  return (user: number, response: ServerResponse): ((bytes: number) => void) => {
    let taken = 0;
    const giveBack = () => {
      add(user, -taken);
      taken = 0;
    };
    // The second alone comes when the client breaks off.
    response.once("finish", giveBack).once("close", giveBack);
    return (bytes) => {
      if (
        response.destroyed ||
        total + bytes > TOTAL_BYTES ||
        (byUser.get(user) ?? 0) + bytes > BYTES_OF_USER
      )
        throw new AppError("unavailable", FULL, { retryAfterSeconds: 1 });
      taken += bytes;
      add(user, bytes);
    };
  };
}
