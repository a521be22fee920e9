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
  | "gone"
  | "unavailable";

export interface Policy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/** A refusal that the caller can act on. Any other error is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** The violated rule, unless it holds for every request. */
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

/** The faults by field, in words that follow its name. */
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
export const unauthorized = (detail = "The account of this API key lacks the permission for this.") =>
  new AppError("unauthorized", detail);
export const unavailable = (cause?: unknown) =>
  new AppError("unavailable", "service unavailable", { retryAfterSeconds: 5, cause });

/** Does slow work first; the returned function throws its refusal. @throws AppError unavailable at once */
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
