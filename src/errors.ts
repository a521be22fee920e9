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

/** A rule of how often somebody may do something: `quota` times in a window. */
export interface Policy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/** A refusal the caller can understand and act on. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** The rule that was broken, when it isn't the one that holds for every request. */
  readonly policy: Policy | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; policy?: Policy; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.policy = options.policy;
  }
}

/** A refusal that names the faults of each field, in words that follow the field's name. */
export class FieldsError extends AppError {
  readonly fields: Record<string, string[]>;

  constructor(fields: Record<string, string[]>, sentence: string) {
    super("invalid", sentence);
    this.name = "FieldsError";
    this.fields = fields;
  }
}

export const invalid = (sentence: string) => new AppError("invalid", sentence);
export const notFound = () => new AppError("not_found", "not found");
export const unauthorized = () => new AppError("unauthorized", "unauthorized");
export const unavailable = (cause?: unknown) =>
  new AppError("unavailable", "service unavailable", { retryAfterSeconds: 5, cause });

/**
 * Does the slow part of a request before its transaction. What refuses it is thrown by the function that
 * this gives, because it is told only after what else may refuse the request.
 * @throws AppError unavailable, which has no reason to wait
 */
export async function deferRefusal<T>(work: () => Promise<T>): Promise<() => T> {
  try {
    const made = await work();
    return () => made;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return () => {
      throw error;
    };
  }
}
