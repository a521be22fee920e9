import { openAutocannonWalk } from "./autocannon-walk.ts";
import type { Target, Walk } from "./load.ts";
import { hasWrk, openWrkWalk } from "./wrk-walk.ts";

export const GENERATORS = ["wrk", "autocannon"] as const;
export type Generator = (typeof GENERATORS)[number];

/** wrk needs a fraction of autocannon's processor time, so that the servers are the limit. */
export function bestGenerator(): Generator {
  return hasWrk() ? "wrk" : "autocannon";
}

export function openWalk(generator: Generator, target: Target): Promise<Walk> {
  return generator === "wrk" ? openWrkWalk(target) : openAutocannonWalk(target);
}
