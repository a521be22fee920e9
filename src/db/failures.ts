/** PostgreSQL's and the operating system's word for what went wrong, if there is one. */
export function failureCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** PostgreSQL's own answer while it starts. */
export const CANNOT_CONNECT_NOW = "57P03";

const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EACCES",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** The disk is full, its owner's share of it is used up, it became read-only, or it is broken. */
const STORAGE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Messages of `pg` that carry no code. */
const LOST =
  /Connection terminated|read ECONNRESET|write EPIPE|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after|driver has already been destroyed/;

/**
 * Whether the database could not be reached or went away: worth another try later. Class 08 is
 * connection, 57P a server that starts or stops, 53 a server without room, 58030 one whose disk fails,
 * 57014 a statement that took too long, 55P03 a lock that another session held for too long.
 */
export function isUnavailable(error: unknown): boolean {
  const code = failureCode(error);
  if (/^(08|57P|53)/.test(code) || ["57014", "55P03", "58030"].includes(code)) return true;
  if (NETWORK.has(code) && ofConnection(error)) return true;
  return error instanceof Error && LOST.test(error.message);
}

/** Whether the database isn't ready yet, or the process that would ask it. */
export function isStarting(error: unknown): boolean {
  return failureCode(error) === CANNOT_CONNECT_NOW;
}

/** Files and clients fail with the same codes; a connection to a server is made by `connect` or a look-up. */
function ofConnection(error: unknown): boolean {
  return ["connect", "getaddrinfo"].includes(String((error as { syscall?: unknown }).syscall));
}

/** Whether a file could not be read or written because of its disk: worth another try later. */
export function isStorageFailure(error: unknown): error is NodeJS.ErrnoException {
  return STORAGE.has(failureCode(error));
}

/**
 * Serialization failure, deadlock, or a pooler that doesn't keep prepared statements: the same transaction may
 * well succeed when run again.
 */
export function isRetryable(error: unknown): boolean {
  return ["40001", "40P01", "26000", "42P05"].includes(failureCode(error));
}

/** Whether it is nothing of the work's own, so that another try may well succeed: soon, or later. */
export function isPassing(error: unknown): boolean {
  return isUnavailable(error) || isRetryable(error) || isStorageFailure(error);
}

/** The unique constraint that refused a row, or undefined when something else went wrong. */
export function violatedUnique(error: unknown): string | undefined {
  if (failureCode(error) !== "23505") return undefined;
  return (error as { constraint?: string }).constraint ?? "";
}

/** The first line of the error's own message; of several attempts, the first one's. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] || failureCode(error) || "unknown";
}
