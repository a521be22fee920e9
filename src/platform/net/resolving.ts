import { lookup } from "node:dns/promises";
import { createFairQueue } from "../fair-queue.ts";
import { FetchFailure, slowHost } from "./failure.ts";

export interface Address {
  address: string;
  family: number;
}

export interface Caller {
  queueKey: string;
  /** Bounds the lookup itself; the signal bounds the wait for it. */
  timeoutMs: number;
  /** Its reason is a FetchFailure. */
  signal: AbortSignal;
}

/** @throws FetchFailure, or errors of the system */
export type Resolve = (name: string, caller: Caller) => Promise<Address[]>;

/** A lookup occupies one of the four threads that also read files, as long as a name server likes. */
const LOOKUPS_AT_ONCE = 2;

const asSystem = (name: string) => lookup(name, { all: true, verbatim: true });

/** A slow lookup can't be ended and keeps its turn; one of each key runs, so it mostly delays its own key. */
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

/** Says that other names, not the requested host, are the cause. */
function tooBusy({ reason }: AbortSignal): FetchFailure {
  if (reason instanceof FetchFailure && reason.kind !== "timeout") return reason;
  return new FetchFailure("busy", "Too many other names had to be looked up first.");
}
