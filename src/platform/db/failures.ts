import { AppError } from "../errors.ts";

export function failureCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

export const CANNOT_CONNECT_NOW = "57P03";
export const STATEMENT_TIMEOUT = "57014";
export const LOCK_NOT_AVAILABLE = "55P03";
/** A standby refuses writes so. */
export const READ_ONLY = "25006";

const NETWORK =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EACCES|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** The code of failures of a file store on another computer, whose messages are sentences. */
export const STORE_FAILURE = "EREMOTEIO";

/** The disk is full, over its quota, read-only, or broken. */
const STORAGE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", STORE_FAILURE]);

/** Messages of `pg` that carry no code. */
const LOST =
  /Connection terminated|read ECONNRESET|write EPIPE|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after|driver has already been destroyed/;

/**
 * Whether the database is unreachable or overloaded, so that a later try may succeed. 08: connection; 57P: starting
 * or stopping; 53: no room; 58030: disk; 57014: slow statement; 55P03: locked for too long; 25006: a standby.
 */
export function isUnavailable(error: unknown): boolean {
  const code = failureCode(error);
  if (/^(08|57P|53)/.test(code) || [STATEMENT_TIMEOUT, LOCK_NOT_AVAILABLE, "58030", READ_ONLY].includes(code))
    return true;
  // Files and clients share these codes; connections fail in `connect` or a lookup.
  const { syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (NETWORK.test(code) && ["connect", "getaddrinfo"].includes(syscall ?? "")) return true;
  return error instanceof Error && LOST.test(error.message);
}

/** No connection of the pool was free in time, which tells nothing of the database. */
export const isWaitForPool = (error: unknown): boolean =>
  error instanceof Error && error.message === "timeout exceeded when trying to connect";

export const isStarting = (error: unknown): boolean => failureCode(error) === CANNOT_CONNECT_NOW;

export const isStorageFailure = (error: unknown): error is NodeJS.ErrnoException =>
  STORAGE.has(failureCode(error));

/** A pooler gave a client another server connection, which has no or another statement of this name. */
export const isLostStatement = (error: unknown): boolean => ["26000", "42P05"].includes(failureCode(error));

/** A migration has changed what a prepared statement returns. The message is in the server's language. */
export function isOldStatement(error: unknown): boolean {
  return (
    failureCode(error) === "0A000" && (error as { routine?: string }).routine === "RevalidateCachedQuery"
  );
}

/** Serialization failure, deadlock, or a prepared statement that can't be used: repeat the transaction. */
export const isRetryable = (error: unknown): boolean =>
  ["40001", "40P01"].includes(failureCode(error)) || isLostStatement(error) || isOldStatement(error);

export const isPassing = (error: unknown): boolean =>
  isUnavailable(error) || isRetryable(error) || isStorageFailure(error);

/** The violated unique constraint; undefined for other errors. */
export function violatedUnique(error: unknown): string | undefined {
  if (failureCode(error) !== "23505") return undefined;
  return (error as { constraint?: string }).constraint ?? "";
}

/** The first line of the message; several attempts give that of the first. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] || failureCode(error) || "unknown";
}

/** The fault of the record or item that was at work; undefined for errors that end the whole. */
export function faultIn(error: unknown): string | undefined {
  if (error instanceof AppError) return error.code === "unavailable" ? undefined : error.message;
  if (error instanceof RangeError) return "it is nested too deeply";
  if (error instanceof TypeError) return `it can't be read (${error.message})`;
  // Data that doesn't fit its column, breaks a constraint, or exceeds a limit of PostgreSQL.
  return /^(22|23|54)/.test(failureCode(error)) ? `the database refuses it (${reasonOf(error)})` : undefined;
}
