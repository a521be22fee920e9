import { lookup } from "node:dns/promises";
import { createTurns } from "../turns.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

/**
 * The system's lookups hold one of the four threads that files are read in, for as long as a name server likes to wait:
 * so many of them at once leave the rest to the files.
 */
const LOOKUPS_AT_ONCE = 2;

/** Looks names up as the system does. */
export function createResolve(): Resolve {
  const turns = createTurns({ size: LOOKUPS_AT_ONCE });
  return (name) => turns.take({ lane: undefined }, () => lookup(name, { all: true, verbatim: true }));
}
