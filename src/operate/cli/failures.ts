import { asTyped, ConfigError } from "../../platform/config.ts";
import { EngineError } from "../../platform/db/embedded/account.ts";
import * as failures from "../../platform/db/failures.ts";
import { AppError } from "../../platform/errors.ts";

export function toSentence(error: unknown): string {
  const isOwn = error instanceof AppError || error instanceof EngineError || error instanceof ConfigError;
  const known = isOwn ? error.message : (fileSentence(error) ?? databaseSentence(error));
  const bug = `Something unexpected went wrong (${failures.reasonOf(error)}): run it again with LOG_LEVEL=debug to see where.`;
  return asTyped(known ?? bug);
}

export const isPermanent = (error: unknown): boolean =>
  permanentSentence(error) !== undefined || !failures.isUnavailable(error);

const REFUSALS: Record<string, string> = {
  "28P01": "The database refuses the password in DATABASE_URL: correct it.",
  "28000": "The database refuses the user in DATABASE_URL: create that role, or let it in by pg_hba.conf.",
  "3D000":
    "The database named in DATABASE_URL doesn't exist: create it with `createdb`, or correct the name.",
  "42501":
    "The database user lacks the permission: run `inkstone migrate` with DATABASE_OWNER_URL, or make it the owner of the database.",
  "55P03": "Another session is using a table that must change: end it and try again.",
  "53100": "The database's disk is full: free space and try again.",
  "25006": "The database is read-only: let DATABASE_URL name the primary server.",
};

function databaseSentence(error: unknown): string | undefined {
  const sentence = permanentSentence(error);
  if (sentence !== undefined) return sentence;
  if (!failures.isUnavailable(error)) return undefined;
  const [code, reason] = [failures.failureCode(error), failures.reasonOf(error)];
  if (code === failures.CANNOT_CONNECT_NOW) return `The database isn't ready yet (${reason}).`;
  if (code === failures.STATEMENT_TIMEOUT)
    return `The database broke off a statement (${reason}): raise statement_timeout of the role or of the pooler, or let DATABASE_URL lead past the pooler for this command.`;
  return `The database can't be reached (${reason}): start it, or correct DATABASE_URL.`;
}

function permanentSentence(error: unknown): string | undefined {
  const refusal = REFUSALS[failures.failureCode(error)];
  if (refusal !== undefined) return `${refusal.slice(0, -1)} (${failures.reasonOf(error)}).`;
  const isTls = error instanceof Error && /does not support SSL|certificate|SASL/i.test(error.message);
  return isTls
    ? `The database refuses the connection (${failures.reasonOf(error)}): correct DATABASE_URL.`
    : undefined;
}

function fileSentence(error: unknown): string | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === failures.STORE_FAILURE) return `${failures.reasonOf(error)}.`;
  if (code === "ENOSPC") return "The disk is full: free space and try again.";
  // Connections fail by system calls too, without a path.
  if (code === undefined || syscall === undefined || path === undefined) return undefined;
  const reason = {
    ENOENT: "there is no such file",
    EISDIR: "it is a directory",
    EACCES: "that isn't permitted",
  }[code];
  return `${path} can't be used: ${reason ?? code}.`;
}
