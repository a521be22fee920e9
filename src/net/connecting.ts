import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { isPublic } from "./addresses.ts";
import { privateAddress } from "./destination.ts";
import type { Address, Caller, Resolve } from "./resolving.ts";

interface Judging {
  resolve: Resolve;
  allowPrivateNetwork: boolean;
}

/**
 * One private address refuses a host: honest hosts don't mix them.
 * @throws FetchFailure, or errors of the system
 */
export async function addressesOf(
  host: string,
  { resolve, allowPrivateNetwork }: Judging,
  caller: Caller,
): Promise<Address[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host, caller) : [{ address: host, family }];
  if (addresses.length === 0) throw noSuchName(host);
  if (!allowPrivateNetwork && !addresses.every(({ address }) => isPublic(address))) throw privateAddress();
  return addresses;
}

/** Connects to these addresses only: a second lookup could differ. */
export function createConnector(addresses: readonly Address[], timeoutMs: number): buildConnector.connector {
  return buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    lookup: answerWith(addresses),
  });
}

function answerWith(addresses: readonly Address[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all || first === undefined) process.nextTick(callback, null, [...addresses]);
    else process.nextTick(callback, null, first.address, first.family);
  };
}

function noSuchName(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: "ENOTFOUND" });
}
