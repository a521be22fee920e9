import { lookup } from "node:dns/promises";
import { createTurns } from "../turns.ts";
import { FetchFailure, slowHost } from "./failure.ts";

export interface Address {
  address: string;
  family: number;
}

/** For whom a name is looked up. */
export interface Caller {
  /** Of whose names one is looked up at a time. */
  lane: string;
  /** From when it is looked up; waiting for that is bounded by the signal. */
  timeoutMs: number;
  /** Its reason is a FetchFailure. */
  signal: AbortSignal;
}

/**
 * All addresses of a name.
 * @throws FetchFailure, or what the system says
 */
export type Resolve = (name: string, caller: Caller) => Promise<Address[]>;

/**
 * The system's lookups hold one of the four threads that files are read in, for as long as a name server likes to wait:
 * so many of them at once leave the rest to the files.
 */
const LOOKUPS_AT_ONCE = 2;

const asSystem = (name: string) => lookup(name, { all: true, verbatim: true });

/**
 * Looks names up as the system does. One that takes too long can't be ended, only left alone, and keeps its turn until it
 * ends by itself; as each lane has one turn at a time, it holds up those of its own lane more than others.
 */
export function createResolve(lookUp: (name: string) => Promise<Address[]> = asSystem): Resolve {
  const turns = createTurns({ size: LOOKUPS_AT_ONCE, queue: Infinity });
  return (name, { lane, timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const work = async () => {
        const looking = lookUp(name);
        const timer = setTimeout(() => reject(slowHost(name)), timeoutMs);
        const stop = () => reject(signal.reason as Error);
        signal.addEventListener("abort", stop, { once: true });
        await looking.then(resolve, reject);
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      };
      turns.take({ lane, signal }, work).catch(() => reject(tooBusy(signal)));
    });
}

/** Its time may have passed before its turn came, for which its host is not to blame. */
function tooBusy({ reason }: AbortSignal): FetchFailure {
  if (reason instanceof FetchFailure && reason.kind !== "timeout") return reason;
  return new FetchFailure("busy", "Too many other names had to be looked up first.");
}
