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
 * Where a host may be reached. One private address among several is enough to refuse: who mixes them is up to something.
 * @throws FetchFailure, or what the system says
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

/** Makes connections to these addresses only: there is no second lookup that could say something else. */
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
