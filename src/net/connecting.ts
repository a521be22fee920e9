import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import { isPublic } from "./addresses.ts";
import { privateAddress } from "./destination.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

interface ConnectorOptions {
  resolve: Resolve;
  allowPrivateNetwork: boolean;
  timeoutMs: number;
}

/**
 * Makes connections to public addresses only. A name is resolved once, all its addresses are judged, and the connection
 * goes to one of those: there is no second lookup that could say something else.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolve, allowPrivateNetwork, timeoutMs } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    lookup: allowPrivateNetwork ? lookupWith(resolve) : lookupWith(publicOnly(resolve)),
  });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    // Node connects to a literal without asking for a lookup.
    if (!allowPrivateNetwork && isIP(host) !== 0 && !isPublic(host)) {
      callback(privateAddress(host), null);
      return;
    }
    connect(target, callback);
  };
}

/** One private address among several is enough to refuse: who mixes them is up to something. */
function publicOnly(resolve: Resolve): Resolve {
  return async (name) => {
    const addresses = await resolve(name);
    if (!addresses.every(({ address }) => isPublic(address))) throw privateAddress(name);
    return addresses;
  };
}

function lookupWith(resolve: Resolve): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(noSuchName(name), []);
        else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function noSuchName(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: "ENOTFOUND" });
}
