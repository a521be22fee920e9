import type { Db } from "../platform/db/connect.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { unauthorized } from "../platform/errors.ts";
import type { Settings } from "../platform/settings/fields.ts";
import * as settings from "../platform/settings/settings.ts";
import type { Renderer } from "../content/text/render-pool.ts";

export interface User {
  id: number;
  role: "admin" | "moderator" | "member";
}

export interface Session extends User {
  sessionId: number;
  /** When a password or a sign-in link was last given. */
  confirmedAt: Date;
  isByLink: boolean;
  hasFactor: boolean;
}

const MUST_HAVE_FACTOR: Record<Settings["require_two_factor"], readonly User["role"][]> = {
  nobody: [],
  admins: ["admin"],
  staff: ["admin", "moderator"],
};

/** Whether the community asks the user of a session for a second factor that they don't have. */
export function lacksFactor(
  { role, hasFactor }: Session,
  { require_two_factor }: Pick<Settings, "require_two_factor">,
): boolean {
  return !hasFactor && MUST_HAVE_FACTOR[require_two_factor].includes(role);
}

export interface Caller extends User {
  by: { keyId: number; readOnly: boolean } | { session: Session };
}

export interface Viewer extends User {
  name: string;
  username: string;
  profile_image: string | null;
  /** Theme, size and face of texts; null for those of everyone. */
  reading: string | null;
  /** Unread notifications, counted up to a hundred. */
  unread: number;
}

/**
 * Who writes, by what, and how. Verbs that requests call take it first, and refuse by an AppError. The result of a
 * verb is that of its one `run`.
 */
export interface Actor<Result = unknown> {
  by: "key" | "session" | "operator" | "job";
  /** Undefined for the operator. A user may have another role, or no access, when the write runs. */
  readonly user?: User | undefined;
  now(): Date;
  settings(): Promise<Settings>;
  isLimited: boolean;
  /** Where reads before the write go. */
  db: Db;
  /** A retry may repeat `write`, so it must have no effect outside the database. */
  run(write: (tx: Db) => Promise<Result>): Promise<Result>;
}

export interface Author<Result = unknown> extends Actor<Result> {
  renderer: Renderer;
}

export type Work<Result> = (tx: Db, actor: Author<Result>) => Promise<Result>;

export interface Operator extends Actor {
  run<Result>(write: (tx: Db) => Promise<Result>): Promise<Result>;
}

/** The user who acts. @throws AppError unauthorized for the operator */
export function userOf({ user }: Actor): User {
  if (user === undefined) throw unauthorized();
  return user;
}

/** Commands of the site may do everything, without limits. */
export function operator(db: Db, now = () => new Date()): Operator {
  return {
    by: "operator",
    now,
    settings: () => settings.read(db),
    isLimited: false,
    db,
    run: (write) => inTransaction(db, write),
  };
}
