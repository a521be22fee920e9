export type ErrorCode =
  | "invalid"
  | "unauthorized"
  | "not_found"
  | "rate_limited"
  | "precondition_failed"
  | "busy"
  | "too_large"
  | "unsupported"
  | "malformed"
  | "unavailable";

/** A refusal the caller can understand and act on. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const invalid = (sentence: string) => new AppError("invalid", sentence);
export const notFound = () => new AppError("not_found", "not found");
export const unauthorized = () => new AppError("unauthorized", "unauthorized");
export const unavailable = (cause?: unknown) =>
  new AppError("unavailable", "service unavailable", { retryAfterSeconds: 5, cause });
