import { lookup } from "node:dns/promises";
import { createFairQueue } from "../fair-queue.ts";
import { FetchFailure, slowHost } from "./failure.ts";

export interface Address {
  address: string;
  family: number;
}

/** The terms of one look-up. */
export interface Caller {
  /** One name of each key is looked up at a time. */
  queueKey: string;
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
 * ends by itself; as one of each key runs at a time, it delays those of its own key more than others.
 */
export function createResolve(lookUp: (name: string) => Promise<Address[]> = asSystem): Resolve {
  const queue = createFairQueue({ size: LOOKUPS_AT_ONCE, limit: Infinity });
  return (name, { queueKey, timeoutMs, signal }) =>
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
      queue.run({ key: queueKey, signal }, work).catch(() => reject(tooBusy(signal)));
    });
}

/** Its time may have passed before its turn came, for which its host is not to blame. */
function tooBusy({ reason }: AbortSignal): FetchFailure {
  if (reason instanceof FetchFailure && reason.kind !== "timeout") return reason;
  return new FetchFailure("busy", "Too many other names had to be looked up first.");
}
