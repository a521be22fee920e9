import type { Context, Services } from "../context.ts";
import type { Databases, Db } from "../platform/db/connect.ts";

/** One error for all requests: many throw it, and its place doesn't matter. */
const NOT_AT_HAND = new Error("more is needed than memory holds");

export const isBeyondMemory = (error: unknown) => error === NOT_AT_HAND;

function refuse(): never {
  throw NOT_AT_HAND;
}

const NO_DB = new Proxy({} as Db, { get: refuse });
const NO_DATABASES: Databases = { main: NO_DB, replica: NO_DB, shared: NO_DB, slow: NO_DB, jobs: NO_DB };

/** A program that reads memory alone: a reader that needs the database or has to load fails at once. */
export function withMemoryAlone<Program extends Pick<Context & Services, "cache" | "db">>(
  program: Program,
): Program {
  const { cache } = program;
  const memoize: typeof cache.memoize = async <T>(...[key, , options]: Parameters<typeof cache.memoize<T>>) =>
    (cache.get(key, options) as T | undefined) ?? refuse();
  return { ...program, db: NO_DATABASES, cache: { ...cache, memoize } };
}
